package remotebrowser

import (
	"fmt"
	"strings"
)

// Format prints the service's URL for any verb, and never the token.
func (c Client) Format(state fmt.State, _ rune) {
	fmt.Fprintf(state, "remotebrowser.Client(%s)", *c.settings.url)
}

// Format prints the id, if it is known, and the service's URL for any verb, and never the browser's address.
func (b Browser) Format(state fmt.State, _ rune) {
	fmt.Fprintf(state, "remotebrowser.Browser(%sof %s)", shownID(b.id), *b.client.settings.url)
}

// Format prints id, label and time for any verb, and never the address or the password.
func (s Session) Format(state fmt.State, _ rune) {
	fmt.Fprintf(state, "remotebrowser.Session(%s%s, since %s)", shownID(s.ID), shownLabel(s.Label), s.StartedOn)
}

// A service of version 1.0 sends no ids.
func shownID(id string) string {
	if id == "" {
		return ""
	}
	return id + ", "
}

func shownLabel(label *string) string {
	if label == nil {
		return "no label"
	}
	return fmt.Sprintf("%q", *label)
}

// Format prints id, label, state and time for any verb, and never the address or the password.
func (r BrowserRecord) Format(state fmt.State, _ rune) {
	fmt.Fprintf(state, "remotebrowser.BrowserRecord(%s, %s, %s, since %s)", r.ID, shownLabel(r.Label), r.State, r.StartedOn)
}

// Format prints no fields of the desktop for any verb: all of them are secrets.
func (d Desktop) Format(state fmt.State, _ rune) {
	fmt.Fprint(state, "remotebrowser.Desktop(…)")
}

// Format prints the picture's type and size for any verb.
func (s Screenshot) Format(state fmt.State, _ rune) {
	fmt.Fprintf(state, "remotebrowser.Screenshot(%s, %d bytes)", s.Type, len(s.Image))
}

// Format prints the proxy's host and port for any verb, and never its credentials.
func (p Proxy) Format(state fmt.State, _ rune) {
	host := p.Host[strings.LastIndex(p.Host, "@")+1:]
	fmt.Fprintf(state, "remotebrowser.Proxy(%s:%s)", host, p.Port)
}
