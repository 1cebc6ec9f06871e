package remotebrowser

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// Headers that the client or net/http sets, and headers that make net/http retry requests.
var refusedHeaders = []string{
	"Accept",
	"Accept-Encoding",
	"Authorization",
	"Connection",
	"Content-Length",
	"Content-Type",
	"Host",
	"Idempotency-Key",
	"Transfer-Encoding",
	"X-Idempotency-Key",
}

var (
	headerName  = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")
	headerValue = regexp.MustCompile(`^[^\x00-\x08\x0a-\x1f\x7f]*$`)
	plainKey    = regexp.MustCompile(`^[\x21-\x7e]*$`)
	plainToken  = regexp.MustCompile(`^[\x21-\x7e]+$`)
)

// checkURL validates the URL. Its errors don't show a URL that may contain a password.
func checkURL(text string) error {
	parsed, err := url.Parse(text)
	path, _, hasQuery := strings.Cut(text, "?")
	path, _, hasFragment := strings.Cut(path, "#")
	switch {
	case err != nil && strings.Contains(text, "@"):
		return errors.New("the URL is invalid and contains an @: pass a URL such as https://host, without user name and password")
	case err == nil && parsed.User != nil:
		return errors.New("the URL has a user name or password, which the service does not use: remove them")
	case hasQuery || hasFragment || strings.Contains(text, "#"):
		return fmt.Errorf("the URL must not contain ? or #, but is %q", path)
	case err != nil || (parsed.Scheme != "http" && parsed.Scheme != "https") || parsed.Hostname() == "":
		return fmt.Errorf("the URL must begin with http:// or https:// and a host, but is %q", text)
	}
	return nil
}

func checkToken(token string) error {
	if token == "" {
		return errors.New("there is no token: pass WithToken, or set RBS_TOKEN")
	}
	if !plainToken.MatchString(token) {
		return errors.New("the token contains a space, a line break or another character that is not allowed in tokens")
	}
	return nil
}

// checkKey refuses keys that HTTP can't send unchanged in a header. The service checks the length.
func checkKey(key string) error {
	if !plainKey.MatchString(key) {
		return errors.New("remotebrowser: the key contains a space, a line break or another character that is not visible ASCII")
	}
	return nil
}

func checkHeader(name, value string) error {
	if slices.Contains(refusedHeaders, http.CanonicalHeaderKey(name)) {
		return fmt.Errorf("the client sets the header %s itself: remove it", name)
	}
	if !headerName.MatchString(name) {
		return fmt.Errorf("%q is not a valid header name", name)
	}
	if !headerValue.MatchString(value) {
		return fmt.Errorf("the value of the header %s contains a line break or another control character", name)
	}
	return nil
}
