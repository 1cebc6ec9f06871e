package remotebrowser

import (
	"net/http"
)

// newHTTPClient copies a client into one that sends each request once, where it was meant to go.
func newHTTPClient(given *http.Client) *http.Client {
	client := *given
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	client.Transport = &plainJSON{next: &boundedAnswers{next: newTransport(given.Transport)}}
	return &client
}

// newTransport makes a new connection for each request. On one that was used before, net/http repeats
// requests on its own, and the server may just be closing it: an Open that is lost that way cannot be
// told from one that happened.
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
		// The client's limit on connecting comes first, and this ends what is left behind.
		transport.TLSHandshakeTimeout = 2 * connectTimeout
	}
	transport.DisableKeepAlives = true
	return transport
}
