package remotebrowser_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	remotebrowser "github.com/remote-browser/remote-browser-service/clients/go"
	"github.com/remote-browser/remote-browser-service/clients/go/internal/stage"
)

func playConnectionRefused(t *testing.T, place stage.Stage, _ stage.Scenario) {
	url := unusedURL(t)
	address := strings.TrimPrefix(url, "http://")
	err := ask(t, newClient(t, place, remotebrowser.WithURL(url), remotebrowser.WithRetries(0)), "list")
	if failure := expect[*remotebrowser.ConnectionError](t, err); !strings.Contains(failure.Error(), address) {
		t.Errorf("%q does not name %s", failure, address)
	}
}

func playTimeoutAnswer(t *testing.T, place stage.Stage, _ stage.Scenario) {
	fault, timeout := place.With("silent"), remotebrowser.WithTimeout(300*time.Millisecond)
	client := newClient(t, place, remotebrowser.WithURL(fault.URL), timeout, remotebrowser.WithRetries(0))
	expectTimeout(t, ask(t, client, "open"))
	fault.ExpectLog(t, "openBrowser")
}

func playTimeoutBody(t *testing.T, place stage.Stage, _ stage.Scenario) {
	fault, timeout := place.With("half"), remotebrowser.WithTimeout(300*time.Millisecond)
	client := newClient(t, place, remotebrowser.WithURL(fault.URL), timeout, remotebrowser.WithRetries(0))
	expectTimeout(t, ask(t, client, "list"))
}

func playTimeoutTotal(t *testing.T, place stage.Stage, _ stage.Scenario) {
	busy, before := place.With("busy-long"), time.Now()
	err := ask(t, newClient(t, place, remotebrowser.WithURL(busy.URL)), "open")
	expect[*remotebrowser.BrowserUnavailableError](t, err)
	busy.ExpectLog(t, "openBrowser")
	if took := time.Since(before); took > 5*time.Second {
		t.Errorf("the call failed after %v instead of at once", took)
	}
	total := remotebrowser.WithTotalTimeout(500 * time.Millisecond)
	expectTimeout(t, ask(t, newClient(t, place, remotebrowser.WithURL(place.With("silent").URL), total), "list"))
}

func expectTimeout(t *testing.T, err error) {
	t.Helper()
	failure := expect[*remotebrowser.TimeoutError](t, err)
	if !failure.Timeout() || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v is not a context.DeadlineExceeded or a net.Error timeout", err)
	}
}
