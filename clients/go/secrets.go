package remotebrowser

import (
	"errors"
	"regexp"
	"strings"
	"unicode"
)

// How much is shown of a text that is not this package's own.
const maxShownCharacters = 200

// What is secret about the addresses of browsers and desktops, whose slashes somebody may have escaped.
var secretID = regexp.MustCompile(`((?:\\?/|%2[fF])(?:devtools(?:\\?/|%2[fF])browser|desktop)(?:\\?/|%2[fF]))[^/?#"'<\s]+`)

// hideSecrets takes the token and the ids in addresses out of a text, should a gateway repeat a request.
func (c *Client) hideSecrets(text string) string {
	// Ids first: a short token may be a part of the words around them.
	return strings.ReplaceAll(secretID.ReplaceAllString(text, "${1}…"), *c.settings.token, "…")
}

// hideSecretsIn does so in every text of a JSON object.
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

// hideSecretsOf gives an error as it is, unless it or one of its causes would print a secret.
func (c *Client) hideSecretsOf(err error) error {
	for cause := err; cause != nil; cause = errors.Unwrap(cause) {
		if text := cause.Error(); c.hideSecrets(text) != text {
			return errors.New(c.hideSecrets(err.Error()))
		}
	}
	return err
}

// show gives the beginning of a text on one line, without secrets.
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
