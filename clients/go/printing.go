package remotebrowser

import (
	"fmt"
	"strings"
)

// Format prints where the client asks, by whatever verb, and never its token.
func (c Client) Format(state fmt.State, _ rune) {
	fmt.Fprintf(state, "remotebrowser.Client(%s)", *c.settings.url)
}

// Format prints where the browser was asked for, by whatever verb, and never its address.
func (b Browser) Format(state fmt.State, _ rune) {
	fmt.Fprintf(state, "remotebrowser.Browser(of %s)", *b.client.settings.url)
}

// Format prints what is no secret, by whatever verb: neither the address nor the password.
func (s Session) Format(state fmt.State, _ rune) {
	label := "no label"
	if s.Label != nil {
		label = fmt.Sprintf("%q", *s.Label)
	}
	fmt.Fprintf(state, "remotebrowser.Session(%s, since %s)", label, s.StartedOn)
}

// Format prints nothing of the desktop, by whatever verb: all that it has is secret.
func (d Desktop) Format(state fmt.State, _ rune) {
	fmt.Fprint(state, "remotebrowser.Desktop(…)")
}

// Format prints where the proxy is, by whatever verb, and never its credentials.
func (p Proxy) Format(state fmt.State, _ rune) {
	host := p.Host[strings.LastIndex(p.Host, "@")+1:]
	fmt.Fprintf(state, "remotebrowser.Proxy(%s:%s)", host, p.Port)
}
