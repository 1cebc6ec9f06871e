package remotebrowser

import (
	"fmt"
	"strings"
)

// Format prints the service's URL for every verb, and never the token.
func (c Client) Format(state fmt.State, _ rune) {
	fmt.Fprintf(state, "remotebrowser.Client(%s)", *c.settings.url)
}

// Format prints the id, if the handle has one, and the service's URL for every verb, and never the address.
func (b Browser) Format(state fmt.State, _ rune) {
	fmt.Fprintf(state, "remotebrowser.Browser(%sof %s)", shownID(b.id), *b.client.settings.url)
}

// Format prints the id, the label and the time for every verb, and never the address or the password.
func (s Session) Format(state fmt.State, _ rune) {
	fmt.Fprintf(state, "remotebrowser.Session(%s%s, since %s)", shownID(s.ID), shownLabel(s.Label), s.StartedOn)
}

// Services of contract version 1.0 send no ids.
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

// Format prints the id, the label, the state and the time for every verb, and never the address or the password.
func (r BrowserRecord) Format(state fmt.State, _ rune) {
	fmt.Fprintf(state, "remotebrowser.BrowserRecord(%s, %s, %s, since %s)", r.ID, shownLabel(r.Label), r.State, r.StartedOn)
}

// Format prints no fields for any verb, because all fields are secrets.
func (d Desktop) Format(state fmt.State, _ rune) {
	fmt.Fprint(state, "remotebrowser.Desktop(…)")
}

// Format prints the type and size for every verb.
func (s Screenshot) Format(state fmt.State, _ rune) {
	fmt.Fprintf(state, "remotebrowser.Screenshot(%s, %d bytes)", s.Type, len(s.Image))
}

// Format prints the host and port for every verb, and never the credentials.
func (p Proxy) Format(state fmt.State, _ rune) {
	host := p.Host[strings.LastIndex(p.Host, "@")+1:]
	fmt.Fprintf(state, "remotebrowser.Proxy(%s:%s)", host, p.Port)
}
