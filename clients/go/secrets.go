package remotebrowser

import (
	"errors"
	"regexp"
	"strings"
	"unicode"
)

// The maximum length of quoted text in an error.
const maxShownCharacters = 200

// Matches the secret ids in addresses of browsers and desktops. Slashes may be escaped.
var secretID = regexp.MustCompile(`((?:\\?/|%2[fF])(?:devtools(?:\\?/|%2[fF])browser|desktop)(?:\\?/|%2[fF]))[^/?#"'<\s]+`)

// hideSecrets removes the token and the ids in addresses from a text, because a gateway may quote a request.
func (c *Client) hideSecrets(text string) string {
	// Remove ids first, because the pattern's literal text may contain a short token.
	return strings.ReplaceAll(secretID.ReplaceAllString(text, "${1}…"), *c.settings.token, "…")
}

// hideSecretsIn hides secrets in every string of a JSON object. It modifies the object in place.
func (c *Client) hideSecretsIn(members map[string]any) {
	for name, member := range members {
		members[name] = c.withoutSecrets(member)
	}
}

func (c *Client) withoutSecrets(value any) any {
	switch value := value.(type) {
	case string:
		return c.hideSecrets(value)
	case []any:
		for index, item := range value {
			value[index] = c.withoutSecrets(item)
		}
	case map[string]any:
		c.hideSecretsIn(value)
	}
	return value
}

// hideSecretsOf returns the error itself, or a copy of its message if the error or one of its causes shows a secret.
func (c *Client) hideSecretsOf(err error) error {
	for cause := err; cause != nil; cause = errors.Unwrap(cause) {
		if text := cause.Error(); c.hideSecrets(text) != text {
			return errors.New(c.hideSecrets(err.Error()))
		}
	}
	return err
}

// show returns the beginning of a text, on one line and without secrets.
func (c *Client) show(text string) string {
	words := strings.FieldsFunc(c.hideSecrets(strings.ToValidUTF8(text, "�")), func(character rune) bool {
		return unicode.IsSpace(character) || unicode.IsControl(character)
	})
	characters := []rune(strings.Join(words, " "))
	switch {
	case len(characters) == 0:
		return "it is empty"
	case len(characters) > maxShownCharacters:
		return string(characters[:maxShownCharacters]) + "…"
	default:
		return string(characters)
	}
}
