package remotebrowser_test

import (
	"context"
	"net/http"
	"sync"
	"testing"
)

func TestClosingAClosedBrowserSendsNothing(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{"closed": done, "ended before": answerError(404, "BrowserNotFound")} {
		t.Run(name, func(t *testing.T) {
			service := newFakeService(t, answer)
			browser := attach(t, service.client(t), fakeAddress)
			closeNow(t, browser)
			closeNow(t, browser)
			service.expectRequests(t, 1)
		})
	}
}

func TestAFailedCloseCanBeRetried(t *testing.T) {
	service := newFakeService(t, answerError(401, "AuthorizationError"), done)
	browser := attach(t, service.client(t), fakeAddress)
	if err := browser.Close(context.Background()); err == nil {
		t.Error("Close succeeded")
	}
	closeNow(t, browser)
	service.expectRequests(t, 2)
}

func TestConcurrentClosesSucceed(t *testing.T) {
	browser := attach(t, newFakeService(t, done, answerError(404, "BrowserNotFound")).client(t), fakeAddress)
	var both sync.WaitGroup
	for range 2 {
		both.Add(1)
		go func() {
			defer both.Done()
			closeNow(t, browser)
		}()
	}
	both.Wait()
}

func TestABlankAddressIsRefused(t *testing.T) {
	client := newFakeService(t, done).client(t)
	for _, address := range []string{"", " \t\n"} {
		if _, err := client.Browser(address); err == nil {
			t.Errorf("%q is accepted", address)
		}
	}
}
