package remotebrowser_test

import (
	"context"
	"slices"
	"strings"
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

func playRetryOpenAgain(t *testing.T, place stage.Stage, _ stage.Scenario) {
	fault, label := place.With("cut-after"), newLabel(t)
	defer closeLabelled(t, place, label)
	browser, err := newClient(t, place, remotebrowser.WithURL(fault.URL)).Open(context.Background(),
		&remotebrowser.OpenOptions{Headless: remotebrowser.Ptr(true), Label: &label})
	if err != nil {
		t.Fatal(err)
	}
	fault.ExpectLog(t, "openBrowser", "getAccount", "openBrowser")
	if place.Name != "mock" {
		expectOnly(t, place, label, browser.Address())
	}
}

func playRetryOpenKey(t *testing.T, place stage.Stage, _ stage.Scenario) {
	label := newLabel(t)
	defer closeLabelled(t, place, label)
	open := func(key string, headless bool) (*remotebrowser.Browser, error) {
		return newClient(t, place).OpenWithKey(context.Background(), key,
			&remotebrowser.OpenOptions{Headless: &headless, Label: &label})
	}
	key := strings.ReplaceAll(label, " ", "-")
	for range 2 {
		browser, err := open(key, true)
		if err != nil {
			t.Fatal(err)
		}
		expectOnly(t, place, label, browser.Address())
	}
	_, err := open(key, false)
	expect[*remotebrowser.IdempotencyKeyReusedError](t, err)
	_, err = open("", true)
	expect[*remotebrowser.BadRequestError](t, err)
}

// expectOnly fails unless exactly one open browser has the label.
func expectOnly(t *testing.T, place stage.Stage, label, address string) {
	t.Helper()
	sessions, err := newClient(t, place).List(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var addresses []string
	for _, session := range sessions {
		if session.Label != nil && *session.Label == label {
			addresses = append(addresses, session.Address)
		}
	}
	if !slices.Equal(addresses, []string{address}) {
		t.Fatalf("%d browsers are open", len(addresses))
	}
}

// closeLabelled closes the browsers of a test, whether it passes or not.
func closeLabelled(t *testing.T, place stage.Stage, label string) {
	client := newClient(t, place)
	for session := find(t, client, label); session != nil; session = find(t, client, label) {
		closeNow(t, attach(t, client, session.Address))
	}
}

func playRetryOpenOnce(t *testing.T, place stage.Stage, _ stage.Scenario) {
	fault, label := place.With("first-version-cut-after"), newLabel(t)
	defer closeLabelled(t, place, label)
	_, err := newClient(t, place, remotebrowser.WithURL(fault.URL)).Open(context.Background(),
		&remotebrowser.OpenOptions{Headless: remotebrowser.Ptr(true), Label: &label})
	expect[*remotebrowser.ConnectionError](t, err)
	fault.ExpectLog(t, "openBrowser", "getAccount")
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
