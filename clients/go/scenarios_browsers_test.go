package remotebrowser_test

import (
	"context"
	"strings"
	"testing"
	"time"

	remotebrowser "github.com/remote-browser/remote-browser-service/clients/go"
	"github.com/remote-browser/remote-browser-service/clients/go/internal/stage"
)

func playLifecycle(t *testing.T, place stage.Stage, _ stage.Scenario) {
	client, label := newClient(t, place), newLabel(t)
	browser := open(t, client, label)
	if !strings.HasPrefix(browser.Address(), "ws") {
		t.Fatal("the address does not begin with ws")
	}
	session := find(t, client, label)
	if session == nil || session.Address != browser.Address() {
		t.Fatal("the browser is not listed under its address")
	}
	if age := time.Since(session.StartedOn); age < -time.Minute || age > 5*time.Minute {
		t.Errorf("the list says that it was opened %v ago", age)
	}
	closeNow(t, browser)
	if find(t, client, label) != nil {
		t.Fatal("the closed browser is still listed")
	}
}

func playCloseEnded(t *testing.T, place stage.Stage, _ stage.Scenario) {
	client := newClient(t, place)
	browser := open(t, client, newLabel(t))
	closeNow(t, browser)
	closeNow(t, attach(t, client, browser.Address()))
	closeNow(t, browser)
}

func playClosesItself(t *testing.T, place stage.Stage, _ stage.Scenario) {
	client, label := newClient(t, place), newLabel(t)
	func() {
		ctx, cancel := context.WithCancel(context.Background())
		browser, err := client.Open(ctx, &remotebrowser.OpenOptions{Headless: remotebrowser.Ptr(true), Label: &label})
		if err != nil {
			cancel()
			t.Fatal(err)
		}
		defer func() {
			if err := browser.Close(ctx); err != nil {
				t.Error(err)
			}
		}()
		// When a program is interrupted, its deferred Close runs with a context that has ended.
		cancel()
	}()
	if find(t, client, label) != nil {
		t.Fatal("the browser is still listed after its scope")
	}
}

func playOptions(t *testing.T, place stage.Stage, _ stage.Scenario) {
	client, label := newClient(t, place), newLabel(t)
	browser := openWith(t, client, &remotebrowser.OpenOptions{
		Args:     []string{"--lang=de"},
		Headless: remotebrowser.Ptr(true),
		Stealth:  remotebrowser.Ptr(false),
		Browser:  remotebrowser.Ptr(remotebrowser.ChromeHeadlessShell),
		KeepOpen: remotebrowser.Ptr(90 * time.Second),
		Label:    &label,
	})
	if place.Name != "mock" && find(t, client, label) == nil {
		t.Fatal("the label is not listed")
	}
	closeNow(t, browser)
}

func playKeepOpen(t *testing.T, place stage.Stage, _ stage.Scenario) {
	client, label := newClient(t, place), newLabel(t)
	openWith(t, client, &remotebrowser.OpenOptions{
		Headless: remotebrowser.Ptr(true),
		KeepOpen: remotebrowser.Ptr(time.Second),
		Label:    &label,
	})
	expectUnlisted(t, client, label, 15*time.Second)
}

func playAttach(t *testing.T, place stage.Stage, _ stage.Scenario) {
	client, label := newClient(t, place), newLabel(t)
	open(t, client, label)
	session := find(t, client, label)
	if session == nil {
		t.Fatal("the browser is not listed")
	}
	closeNow(t, attach(t, client, session.Address))
	if find(t, client, label) != nil {
		t.Fatal("the browser is still listed")
	}
}

func playDesktop(t *testing.T, place stage.Stage, _ stage.Scenario) {
	ctx, client, label := context.Background(), newClient(t, place), newLabel(t)
	browser := openWith(t, client, &remotebrowser.OpenOptions{Headless: remotebrowser.Ptr(false), Label: &label})
	desktop, err := browser.StartDesktop(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if len(desktop.Password) != 8 || len(desktop.ViewPassword) != 8 {
		t.Error("the passwords don't have 8 characters")
	}
	if !strings.HasPrefix(desktop.URL, "http") || !strings.HasPrefix(desktop.RFBURL, "ws") {
		t.Error("the desktop's URLs have the wrong form")
	}
	if place.Name != "mock" {
		again, err := browser.StartDesktop(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if *again != *desktop {
			t.Error("a second start changed the desktop")
		}
		if session := find(t, client, label); session == nil || session.VNCPass == nil || *session.VNCPass != desktop.Password {
			t.Error("the list does not show the password")
		}
	}
	if err := browser.StopDesktop(ctx); err != nil {
		t.Fatal(err)
	}
	if place.Name != "mock" {
		if session := find(t, client, label); session == nil || session.VNCPass != nil {
			t.Error("the list still shows a password")
		}
	}
}
