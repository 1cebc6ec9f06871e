package remotebrowser_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	remotebrowser "github.com/remote-browser/remote-browser-service/clients/go"
)

func TestACancelledOpenReturnsAndDisconnects(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	left := make(chan struct{})
	service := newFakeService(t, func(_ http.ResponseWriter, request *http.Request) {
		cancel()
		<-request.Context().Done()
		close(left)
	})
	_, err := service.client(t).Open(ctx, nil)
	expectCancelled(t, err, "open")
	select {
	case <-left:
	case <-time.After(5 * time.Second):
		t.Error("the client did not disconnect")
	}
	service.expectRequests(t, 1)
}

func TestCancellingEndsAWait(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	service := newFakeService(t, func(writer http.ResponseWriter, request *http.Request) {
		answerError(429, "TooManyRequests", "Retry-After", "60")(writer, request)
		time.AfterFunc(100*time.Millisecond, cancel)
	})
	_, err := service.client(t).List(ctx)
	expectCancelled(t, err, "list")
}

func expectCancelled(t *testing.T, err error, operation string) {
	t.Helper()
	var timeout *remotebrowser.TimeoutError
	if !errors.Is(err, context.Canceled) || errors.As(err, &timeout) || !strings.Contains(err.Error(), operation) {
		t.Errorf("got %T: %v", err, err)
	}
}

func TestTheContextsDeadlineIsATimeout(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	service := newFakeService(t, silent)
	_, err := service.client(t).List(ctx)
	expectTimeout(t, err)
	if !strings.Contains(err.Error(), "deadline of its context") {
		t.Errorf("the message is %q", err)
	}
	service.expectRequests(t, 1)
}

func TestCloseWorksAfterItsContextHasEnded(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	service := newFakeService(t, done)
	if err := attach(t, service.client(t), fakeAddress).Close(ctx); err != nil {
		t.Fatal(err)
	}
	service.expectRequests(t, 1)
}

func TestOnlyTheTotalTimeoutAppliesToAQuery(t *testing.T) {
	service := newFakeService(t, func(writer http.ResponseWriter, request *http.Request) {
		time.Sleep(300 * time.Millisecond)
		answered(writer, request)
	})
	timeout, total := remotebrowser.WithTimeout(50*time.Millisecond), remotebrowser.WithTotalTimeout(100*time.Millisecond)
	if _, err := service.client(t, timeout).Query(context.Background(), "<p>", "?"); err != nil {
		t.Error(err)
	}
	_, err := service.client(t, total).Query(context.Background(), "<p>", "?")
	expectTimeout(t, err)
	if !strings.Contains(err.Error(), "within 100ms (WithTotalTimeout)") {
		t.Errorf("the message is %q", err)
	}
}

func TestATimeoutIncludesTheBody(t *testing.T) {
	service := newFakeService(t, func(writer http.ResponseWriter, request *http.Request) {
		writer.Header().Set("Content-Type", "application/json")
		_, _ = writer.Write([]byte(`{"sess`))
		writer.(http.Flusher).Flush()
		silent(writer, request)
	})
	timeout := remotebrowser.WithTimeout(200 * time.Millisecond)
	err := ask(t, service.client(t, timeout, remotebrowser.WithRetries(0)), "list")
	expectTimeout(t, err)
	if !strings.Contains(err.Error(), "within 200ms (WithTimeout)") {
		t.Errorf("the message is %q", err)
	}
}
