package remotebrowser

import (
	"io"
	"net/http"
	"net/url"
)

// More than any response of the service has after decompression.
const maxAnswerBytes = 64 << 20

// boundedAnswers protects against responses that aren't from the service: it limits their size, closes
// upgraded connections and removes the paths of redirects.
type boundedAnswers struct{ next http.RoundTripper }

func (b *boundedAnswers) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := b.next.RoundTrip(request)
	if err != nil || response.Body == nil {
		return response, err
	}
	keepOrigin(request.URL, response.Header)
	switch {
	case response.StatusCode == http.StatusSwitchingProtocols:
		// The body is now the connection, which doesn't end with the context.
		response.Body.Close()
		response.Body = http.NoBody
	case response.StatusCode >= http.StatusMultipleChoices:
		// The status matters, even if the body is too long.
		response.Body = shortened{io.LimitReader(response.Body, maxAnswerBytes), response.Body}
	default:
		response.Body = http.MaxBytesReader(nil, response.Body, maxAnswerBytes)
	}
	return response, nil
}

// keepOrigin removes the path from a redirect's location, because it may hold secrets. It removes an
// invalid location: http.Client parses it even if it doesn't follow redirects, and fails.
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
