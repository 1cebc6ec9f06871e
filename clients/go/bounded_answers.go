package remotebrowser

import (
	"io"
	"net/http"
	"net/url"
)

// More than any answer of the service has, unpacked.
const maxAnswerBytes = 64 << 20

// boundedAnswers keeps an answer that is not the service's own from filling the memory, from going on
// without end, and from leading anywhere else.
type boundedAnswers struct{ next http.RoundTripper }

func (b *boundedAnswers) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := b.next.RoundTrip(request)
	if err != nil || response.Body == nil {
		return response, err
	}
	keepOrigin(request.URL, response.Header)
	switch {
	case response.StatusCode == http.StatusSwitchingProtocols:
		// The connection is the body now, and no context ends it.
		response.Body.Close()
		response.Body = http.NoBody
	case response.StatusCode >= http.StatusMultipleChoices:
		// Its status is worth knowing, however long it is.
		response.Body = shortened{io.LimitReader(response.Body, maxAnswerBytes), response.Body}
	default:
		response.Body = http.MaxBytesReader(nil, response.Body, maxAnswerBytes)
	}
	return response, nil
}

// keepOrigin leaves of a redirect's aim what people may see: its path may hold secrets. Redirects are not
// followed, but http.Client reads this before it asks, and fails when it is no URL.
func keepOrigin(from *url.URL, header http.Header) {
	aim, err := from.Parse(header.Get("Location"))
	if header.Get("Location") == "" || err != nil || aim.Host == "" {
		header.Del("Location")
		return
	}
	header.Set("Location", (&url.URL{Scheme: aim.Scheme, Host: aim.Host}).String())
}

type shortened struct {
	io.Reader
	io.Closer
}
