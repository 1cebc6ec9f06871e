package remotebrowser

import "net/http"

// newHTTPClient copies a client into one that sends each request once and doesn't follow redirects.
func newHTTPClient(given *http.Client) *http.Client {
	client := *given
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	client.Transport = &boundedAnswers{next: newTransport(given.Transport)}
	return &client
}

// newTransport makes a new connection for each request. On a reused connection, net/http retries requests
// on its own, and the server may be closing it just as an Open request is sent. Then the client couldn't tell
// whether the Open request succeeded.
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
		// The client's connect timeout comes first. This one ends handshakes that continue in the background.
		transport.TLSHandshakeTimeout = 2 * connectTimeout
	}
	transport.DisableKeepAlives = true
	return transport
}
