package remotebrowser

import (
	"bytes"
	"io"
	"net/http"
)

// plainJSON undoes encoding/json's escaping of <, > and &. It takes six bytes for each, which could make an
// HTML document too large for the service.
type plainJSON struct{ next http.RoundTripper }

func (p *plainJSON) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.Body == nil {
		return p.next.RoundTrip(request)
	}
	text, err := io.ReadAll(request.Body)
	request.Body.Close()
	if err != nil {
		return nil, err
	}
	text = unescapeHTML(text)
	// A RoundTripper must not change the original request.
	request = request.Clone(request.Context())
	request.ContentLength = int64(len(text))
	request.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
	request.Body, _ = request.GetBody()
	return p.next.RoundTrip(request)
}

var htmlCharacters = map[string]byte{`\u003c`: '<', `\u003e`: '>', `\u0026`: '&'}

func unescapeHTML(json []byte) []byte {
	plain := make([]byte, 0, len(json))
	for at := 0; at < len(json); {
		if json[at] != '\\' {
			plain = append(plain, json[at])
			at++
			continue
		}
		if character, ok := htmlCharacters[string(json[at:min(at+6, len(json))])]; ok {
			plain = append(plain, character)
			at += 6
			continue
		}
		// Skip the escaped character, which may be another backslash.
		end := min(at+2, len(json))
		plain = append(plain, json[at:end]...)
		at = end
	}
	return plain
}
