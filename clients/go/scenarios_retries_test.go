package remotebrowser_test

import (
	"context"
	"testing"
	"time"

	remotebrowser "github.com/remote-browser/remote-browser-service/clients/go"
	"github.com/remote-browser/remote-browser-service/clients/go/internal/stage"
)

func playRetryWhenTold(t *testing.T, place stage.Stage, _ stage.Scenario) {
	fault := place.With("busy-once")
	// Close the browser without the fault, so that only Opens are logged.
	browser, err := newClient(t, place, remotebrowser.WithURL(fault.URL)).Open(context.Background(),
		&remotebrowser.OpenOptions{Headless: remotebrowser.Ptr(true)})
	if err != nil {
		t.Fatal(err)
	}
	fault.ExpectLog(t, "openBrowser", "openBrowser")
	closeNow(t, attach(t, newClient(t, place), browser.Address()))
}

func playRetryRate(t *testing.T, place stage.Stage, _ stage.Scenario) {
	fault := place.With("limited-once")
	if err := ask(t, newClient(t, place, remotebrowser.WithURL(fault.URL)), "list"); err != nil {
		t.Fatal(err)
	}
	fault.ExpectLog(t, "getBrowsers", "getBrowsers")
}

func playRetryBounded(t *testing.T, place stage.Stage, _ stage.Scenario) {
	fault := place.With("busy-always")
	err := ask(t, newClient(t, place, remotebrowser.WithURL(fault.URL), remotebrowser.WithRetries(1)), "open")
	busy := expect[*remotebrowser.BrowserUnavailableError](t, err)
	if busy.RetryAfter == nil || *busy.RetryAfter != time.Second {
		t.Errorf("expected Retry-After of 1 s, got %v", busy.RetryAfter)
	}
	fault.ExpectLog(t, "openBrowser", "openBrowser")
}

func playRetryNotInstalled(t *testing.T, place stage.Stage, _ stage.Scenario) {
	expectNotInstalled(t, place, "not-installed", remotebrowser.Chromium)
	// On some machines, every kind is installed.
	isLacking := stage.Read(t).Find(t, "error.BrowserUnavailable").Error.Provoke["real"] == "missing-kind"
	if place.Name == "real" && isLacking {
		expectNotInstalled(t, place, "pass", remotebrowser.Chrome)
	}
}

func expectNotInstalled(t *testing.T, place stage.Stage, named string, kind remotebrowser.SupportedBrowser) {
	t.Helper()
	fault := place.With(named)
	err := openError(t, newClient(t, place, remotebrowser.WithURL(fault.URL)), &remotebrowser.OpenOptions{Browser: &kind})
	if missing := expect[*remotebrowser.BrowserUnavailableError](t, err); missing.RetryAfter != nil {
		t.Errorf("got Retry-After of %v", *missing.RetryAfter)
	}
	fault.ExpectLog(t, "openBrowser")
}

func playRetryOpenOnce(t *testing.T, place stage.Stage, _ stage.Scenario) {
	fault, label := place.With("cut-after"), newLabel(t)
	// Close the browser whether the test passes or not.
	defer func() {
		client := newClient(t, place)
		for session := find(t, client, label); session != nil; session = find(t, client, label) {
			closeNow(t, attach(t, client, session.Address))
		}
	}()
	_, err := newClient(t, place, remotebrowser.WithURL(fault.URL)).Open(context.Background(),
		&remotebrowser.OpenOptions{Headless: remotebrowser.Ptr(true), Label: &label})
	expect[*remotebrowser.ConnectionError](t, err)
	fault.ExpectLog(t, "openBrowser")
}

func playRetryQueryOnce(t *testing.T, place stage.Stage, _ stage.Scenario) {
	fault := place.With("cut-after")
	err := ask(t, newClient(t, place, remotebrowser.WithURL(fault.URL)), "query")
	expect[*remotebrowser.ConnectionError](t, err)
	fault.ExpectLog(t, "queryAi")
}

func playRetryListAgain(t *testing.T, place stage.Stage, _ stage.Scenario) {
	fault := place.With("cut-after")
	if err := ask(t, newClient(t, place, remotebrowser.WithURL(fault.URL)), "list"); err != nil {
		t.Fatal(err)
	}
	fault.ExpectLog(t, "getBrowsers", "getBrowsers")
}

func playRetryUpdateAgain(t *testing.T, place stage.Stage, _ stage.Scenario) {
	fault := place.With("cut-after")
	browser := open(t, newClient(t, place), newLabel(t))
	record, err := attach(t, newClient(t, place, remotebrowser.WithURL(fault.URL)), browser.Address()).
		Update(context.Background(), remotebrowser.UpdateOptions{KeepOpen: remotebrowser.Ptr(time.Minute)})
	if err != nil {
		t.Fatal(err)
	}
	if record.State != "open" {
		t.Errorf("the browser is %s", record.State)
	}
	fault.ExpectLog(t, "updateBrowser", "updateBrowser")
}

func playRetryCloseAgain(t *testing.T, place stage.Stage, _ stage.Scenario) {
	fault, client, label := place.With("cut-after"), newClient(t, place), newLabel(t)
	browser := open(t, client, label)
	closeNow(t, attach(t, newClient(t, place, remotebrowser.WithURL(fault.URL)), browser.Address()))
	fault.ExpectLog(t, "closeBrowser", "closeBrowser")
	if find(t, client, label) != nil {
		t.Fatal("the browser is still listed")
	}
}
