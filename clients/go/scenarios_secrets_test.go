package remotebrowser_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"

	remotebrowser "github.com/remote-browser/remote-browser-service/clients/go"
	"github.com/remote-browser/remote-browser-service/clients/go/internal/stage"
)

func playSecrets(t *testing.T, place stage.Stage, _ stage.Scenario) {
	ctx, client, label := context.Background(), newClient(t, place), newLabel(t)
	browser := openWith(t, client, &remotebrowser.OpenOptions{Headless: remotebrowser.Ptr(false), Label: &label})
	desktop, err := browser.StartDesktop(ctx)
	if err != nil {
		t.Fatal(err)
	}
	secrets := []string{place.Token, idIn(t, browser.Address()), idIn(t, desktop.URL), desktop.Password, desktop.ViewPassword}
	expectNoSecrets(t, secrets, client, *client, browser, *browser, desktop, *desktop)
	if place.Name != "mock" {
		session := find(t, client, label)
		if session == nil || session.VNCPass == nil {
			t.Fatal("the browser is not listed with its password")
		}
		expectNoSecrets(t, secrets, session, *session, []remotebrowser.Session{*session})
	}

	once := remotebrowser.WithRetries(0)
	page := ask(t, newClient(t, place, once, remotebrowser.WithURL(place.With("echo-page").URL)), "list")
	expect[*remotebrowser.APIError](t, page)
	expectNoSecrets(t, secrets, page)

	echo := newClient(t, place, remotebrowser.WithURL(place.With("echo-error").URL))
	_, err = attach(t, echo, browser.Address()).StartDesktop(ctx)
	if message := expect[*remotebrowser.UnknownError](t, err).Message; !strings.Contains(message, "Authorization") {
		t.Errorf("%q does not quote the request", message)
	}
	expectNoSecrets(t, secrets, err)

	_, err = attach(t, newClient(t, place, once, remotebrowser.WithURL(unusedURL(t))), browser.Address()).StartDesktop(ctx)
	expect[*remotebrowser.ConnectionError](t, err)
	expectNoSecrets(t, secrets, err)
}

// idIn returns the secret part of a browser's or desktop's address.
func idIn(t *testing.T, address string) string {
	t.Helper()
	for _, path := range []string{"/devtools/browser/", "/desktop/"} {
		if _, id, ok := strings.Cut(address, path); ok {
			id, _, _ = strings.Cut(id, "#")
			return id
		}
	}
	t.Fatal("the address has no id")
	return ""
}

// unusedURL returns a URL that refuses connections.
func unusedURL(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return "http://" + listener.Addr().String()
}

// expectNoSecrets prints values, and errors with their causes, with every verb.
func expectNoSecrets(t *testing.T, secrets []string, values ...any) {
	t.Helper()
	for _, value := range values {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"} {
			printed := fmt.Sprintf(verb, value)
			for _, secret := range secrets {
				if strings.Contains(printed, secret) || strings.Contains(printed, fmt.Sprintf("%x", secret)) {
					t.Errorf("%s of a %T shows a secret", verb, value)
				}
			}
		}
		if err, ok := value.(error); ok && errors.Unwrap(err) != nil {
			expectNoSecrets(t, secrets, errors.Unwrap(err))
		}
	}
}
