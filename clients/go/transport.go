package remotebrowser

import "net/http"

// newHTTPClient returns a copy of an HTTP client that sends each request once and doesn't follow redirects.
func newHTTPClient(given *http.Client) *http.Client {
	client := *given
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	client.Transport = &boundedAnswers{next: newTransport(given.Transport)}
	return &client
}

// newTransport returns a transport that opens a new connection for each request. net/http itself retries requests
// on reused connections. A reused connection may also close while an Open request is sent, which leaves the outcome
// unknown.
func newTransport(given http.RoundTripper) http.RoundTripper {
	isOwn := given == nil
	if isOwn {
		given = http.DefaultTransport
	}
	transport, ok := given.(*http.Transport)
	if !ok {
		return given
	}
	transport = transport.Clone()
	if isOwn {
		// Ends handshakes that continue in the background after the client's own connect timeout.
		transport.TLSHandshakeTimeout = 2 * connectTimeout
	}
	transport.DisableKeepAlives = true
	return transport
}
