package remotebrowser

import (
	"fmt"
	"strings"
)

// Format prints the service's URL for any verb, and never the token.
func (c Client) Format(state fmt.State, _ rune) {
	fmt.Fprintf(state, "remotebrowser.Client(%s)", *c.settings.url)
}

// Format prints the service's URL for any verb, and never the browser's address.
func (b Browser) Format(state fmt.State, _ rune) {
	fmt.Fprintf(state, "remotebrowser.Browser(of %s)", *b.client.settings.url)
}

// Format prints label and time for any verb, and never the address or the password.
func (s Session) Format(state fmt.State, _ rune) {
	label := "no label"
	if s.Label != nil {
		label = fmt.Sprintf("%q", *s.Label)
	}
	fmt.Fprintf(state, "remotebrowser.Session(%s, since %s)", label, s.StartedOn)
}

// Format prints no fields of the desktop for any verb: all of them are secrets.
func (d Desktop) Format(state fmt.State, _ rune) {
	fmt.Fprint(state, "remotebrowser.Desktop(…)")
}

// Format prints the proxy's host and port for any verb, and never its credentials.
func (p Proxy) Format(state fmt.State, _ rune) {
	host := p.Host[strings.LastIndex(p.Host, "@")+1:]
	fmt.Fprintf(state, "remotebrowser.Proxy(%s:%s)", host, p.Port)
}
