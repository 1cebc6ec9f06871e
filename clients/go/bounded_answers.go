package remotebrowser

import (
	"io"
	"net/http"
	"net/url"
)

// The service's responses are smaller after decompression.
const maxAnswerBytes = 64 << 20

// boundedAnswers protects against responses that aren't from the service. It limits their size, closes upgraded
// connections and removes redirect paths.
type boundedAnswers struct{ next http.RoundTripper }

func (b *boundedAnswers) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := b.next.RoundTrip(request)
	if err != nil || response.Body == nil {
		return response, err
	}
	keepOrigin(request.URL, response.Header)
	switch {
	case response.StatusCode == http.StatusSwitchingProtocols:
		// The body is the connection itself, which would outlive the context.
		response.Body.Close()
		response.Body = http.NoBody
	case response.StatusCode >= http.StatusMultipleChoices:
		// Truncate a large body instead of failing, because the status matters.
		response.Body = shortened{io.LimitReader(response.Body, maxAnswerBytes), response.Body}
	default:
		response.Body = http.MaxBytesReader(nil, response.Body, maxAnswerBytes)
	}
	return response, nil
}

// keepOrigin removes the path from a redirect's location, because it may contain secrets. It removes an invalid
// location, which http.Client would refuse even without following redirects.
func keepOrigin(from *url.URL, header http.Header) {
	target, err := from.Parse(header.Get("Location"))
	if header.Get("Location") == "" || err != nil || target.Host == "" {
		header.Del("Location")
		return
	}
	header.Set("Location", (&url.URL{Scheme: target.Scheme, Host: target.Host}).String())
}

type shortened struct {
	io.Reader
	io.Closer
}
