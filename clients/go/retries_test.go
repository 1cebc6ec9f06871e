package remotebrowser_test

import (
	"context"
	"errors"
	"math"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	remotebrowser "github.com/remote-browser/remote-browser-service/clients/go"
)

// Every operation, and whether it is idempotent.
var operations = map[string]struct {
	ask          func(context.Context, *remotebrowser.Client) error
	success      http.HandlerFunc
	isIdempotent bool
}{
	"open": {func(ctx context.Context, client *remotebrowser.Client) error {
		_, err := client.Open(ctx, nil)
		return err
	}, opened, false},
	"close": {func(ctx context.Context, client *remotebrowser.Client) error {
		browser, err := client.Browser(fakeAddress)
		if err != nil {
			return err
		}
		return browser.Close(ctx)
	}, done, true},
	"list": {func(ctx context.Context, client *remotebrowser.Client) error {
		_, err := client.List(ctx)
		return err
	}, listed, true},
	"start desktop": {func(ctx context.Context, client *remotebrowser.Client) error {
		browser, err := client.Browser(fakeAddress)
		if err != nil {
			return err
		}
		_, err = browser.StartDesktop(ctx)
		return err
	}, answerJSON(200, `{"status":200,"password":"12345678","viewPassword":"87654321","url":"http://x","rfbUrl":"ws://x"}`), true},
	"stop desktop": {func(ctx context.Context, client *remotebrowser.Client) error {
		browser, err := client.Browser(fakeAddress)
		if err != nil {
			return err
		}
		return browser.StopDesktop(ctx)
	}, done, true},
	"info": {func(ctx context.Context, client *remotebrowser.Client) error {
		browser, err := client.BrowserByID(fakeBrowserID)
		if err != nil {
			return err
		}
		_, err = browser.Info(ctx)
		return err
	}, recorded, true},
	"update": {func(ctx context.Context, client *remotebrowser.Client) error {
		browser, err := client.BrowserByID(fakeBrowserID)
		if err != nil {
			return err
		}
		_, err = browser.Update(ctx, remotebrowser.UpdateOptions{Tags: []string{}})
		return err
	}, recorded, true},
	"screenshot": {func(ctx context.Context, client *remotebrowser.Client) error {
		browser, err := client.BrowserByID(fakeBrowserID)
		if err != nil {
			return err
		}
		_, err = browser.Screenshot(ctx)
		return err
	}, answerJSON(200, `{"type":"image/jpeg","image":"/9j/"}`), true},
	"screenshot image": {func(ctx context.Context, client *remotebrowser.Client) error {
		browser, err := client.BrowserByID(fakeBrowserID)
		if err != nil {
			return err
		}
		_, err = browser.ScreenshotImage(ctx)
		return err
	}, answerJSON(200, "PNG", "Content-Type", "image/png"), true},
	"wait": {func(ctx context.Context, client *remotebrowser.Client) error {
		browser, err := client.BrowserByID(fakeBrowserID)
		if err != nil {
			return err
		}
		_, err = browser.WaitClosed(ctx)
		return err
	}, answerJSON(200, `{"state":"closed","reason":"inactive"}`), true},
	"history": {func(ctx context.Context, client *remotebrowser.Client) error {
		for _, err := range client.History(ctx, nil) {
			return err
		}
		return nil
	}, answerJSON(200, `{"browsers":[],"next":null,"keptSince":null}`), true},
	"close all": {func(ctx context.Context, client *remotebrowser.Client) error {
		_, err := client.CloseAll(ctx)
		return err
	}, answerJSON(200, `{"closed":1}`), true},
	"account": {func(ctx context.Context, client *remotebrowser.Client) error {
		_, err := client.Account(ctx)
		return err
	}, account, true},
	"query": {func(ctx context.Context, client *remotebrowser.Client) error {
		_, err := client.Query(ctx, "<p>", "?")
		return err
	}, answered, false},
}

func TestEveryOperationIsRetriedAfterRetryAfter(t *testing.T) {
	for name, operation := range operations {
		t.Run(name, func(t *testing.T) {
			service := newFakeService(t, answerError(429, "TooManyRequests", "Retry-After", "0"), operation.success)
			if err := operation.ask(context.Background(), service.client(t)); err != nil {
				t.Fatal(err)
			}
			service.expectRequests(t, 2)
		})
	}
}

func TestAfterALostConnectionOnlyIdempotentOperationsAreRetried(t *testing.T) {
	for name, operation := range operations {
		if name == "open" {
			continue // It depends on the contract's version; see idempotency_key_test.go.
		}
		for failure, handler := range map[string]http.HandlerFunc{
			"a lost connection": cut,
			"a gateway":         answerJSON(502, "<h1>Bad Gateway</h1>"),
		} {
			t.Run(name+" after "+failure, func(t *testing.T) {
				service := newFakeService(t, handler, operation.success)
				err := operation.ask(context.Background(), service.client(t))
				if operation.isIdempotent != (err == nil) {
					t.Fatalf("got %v", err)
				}
				service.expectRequests(t, map[bool]int{true: 2, false: 1}[operation.isIdempotent])
			})
		}
	}
}

func TestAfterATimeoutOnlyIdempotentOperationsAreRetried(t *testing.T) {
	for name, operation := range operations {
		if name == "query" || name == "open" {
			continue // Only the total timeout applies to a query.
		}
		t.Run(name, func(t *testing.T) {
			service := newFakeService(t, silent, operation.success)
			err := operation.ask(context.Background(), service.client(t, remotebrowser.WithTimeout(200*time.Millisecond)))
			if operation.isIdempotent != (err == nil) {
				t.Fatalf("got %v", err)
			}
			service.expectRequests(t, map[bool]int{true: 2, false: 1}[operation.isIdempotent])
		})
	}
}

func TestOtherErrorsAreNotRetried(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"no Retry-After":           answerError(503, "BrowserUnavailable"),
		"an error with rule never": answerError(403, "NoUnits", "Retry-After", "0"),
		"an unknown name":          answerError(503, "SomethingNew", "Retry-After", "0"),
		"a date in Retry-After":    answerError(429, "TooManyRequests", "Retry-After", "Sat, 14 Mar 2026 09:26:53 GMT"),
		"a redirect":               answerJSON(307, "", "Location", "/elsewhere"),
		"not a gateway's status":   answerJSON(500, "<h1>Oops</h1>"),
	} {
		t.Run(name, func(t *testing.T) {
			service := newFakeService(t, answer, listed)
			if err := ask(t, service.client(t), "list"); err == nil {
				t.Fatal("the call succeeded")
			}
			service.expectRequests(t, 1)
		})
	}
}

func TestTheNumberOfRetriesIsLimited(t *testing.T) {
	service := newFakeService(t, answerError(429, "TooManyRequests", "Retry-After", "0"))
	err := ask(t, service.client(t, remotebrowser.WithRetries(3)), "list")
	expect[*remotebrowser.TooManyRequestsError](t, err)
	service.expectRequests(t, 4)
}

func TestWaitForPlaceExtendsTheTimeoutOfAnAttempt(t *testing.T) {
	options := &remotebrowser.OpenOptions{WaitForPlace: remotebrowser.Ptr(400 * time.Millisecond)}
	for _, one := range []struct {
		timeout, total, least time.Duration
		words                 string
	}{
		{100 * time.Millisecond, time.Minute, 500 * time.Millisecond, "within 500ms (WithTimeout and WaitForPlace)"},
		{math.MaxInt64, 200 * time.Millisecond, 200 * time.Millisecond, "within 200ms (WithTotalTimeout)"},
	} {
		client := newFakeService(t, silent).client(t, remotebrowser.WithTimeout(one.timeout),
			remotebrowser.WithTotalTimeout(one.total), remotebrowser.WithRetries(0))
		startedAt := time.Now()
		_, err := client.Open(context.Background(), options)
		expect[*remotebrowser.TimeoutError](t, err)
		if !strings.Contains(err.Error(), one.words) || time.Since(startedAt) < one.least {
			t.Errorf("after %v: %v", time.Since(startedAt), err)
		}
	}
}

func TestACallFailsImmediatelyIfTheWaitExceedsTheTotalTimeout(t *testing.T) {
	service := newFakeService(t, answerError(429, "TooManyRequests", "Retry-After", "60"))
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	before := time.Now()
	_, err := service.client(t).List(ctx)
	expect[*remotebrowser.TooManyRequestsError](t, err)
	if took := time.Since(before); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
}

func TestWaitsWithoutRetryAfterDoubleAndHaveJitter(t *testing.T) {
	seen := map[time.Duration]bool{}
	for repeats, longest := range []time.Duration{250 * time.Millisecond, 500 * time.Millisecond, time.Second} {
		for range 100 {
			wait := remotebrowser.BackoffAfter(repeats)
			if wait < longest/2 || wait > longest {
				t.Fatalf("the wait before retry %d is %v", repeats+1, wait)
			}
			seen[wait] = true
		}
	}
	if len(seen) < 30 {
		t.Errorf("only %d of 300 waits differ", len(seen))
	}
}

func TestAnOpenThatWasNotSentIsRetried(t *testing.T) {
	for name, firstDial := range map[string]func(ctx context.Context) error{
		"a refused connection": func(context.Context) error { return errors.New("refused for the test") },
		"a connection that takes too long": func(ctx context.Context) error {
			<-ctx.Done()
			return ctx.Err()
		},
	} {
		t.Run(name, func(t *testing.T) {
			service := newFakeService(t, opened)
			var dials atomic.Int32
			transport := &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				if dials.Add(1) == 1 {
					return nil, firstDial(ctx)
				}
				return (&net.Dialer{}).DialContext(ctx, network, address)
			}}
			client := service.client(t, remotebrowser.WithConnectTimeout(300*time.Millisecond),
				remotebrowser.WithHTTPClient(&http.Client{Transport: transport}))
			if _, err := client.Open(context.Background(), nil); err != nil {
				t.Fatal(err)
			}
			if dials.Load() != 2 {
				t.Errorf("it was dialled %d times", dials.Load())
			}
			service.expectRequests(t, 1)
		})
	}
}

func TestAnOpenIsNotRetriedOnATransportWithoutTracing(t *testing.T) {
	calls := 0
	transport := roundTripper(func(request *http.Request) (*http.Response, error) {
		if request.Method == http.MethodPost {
			calls++
		}
		return nil, &net.OpError{Op: "read", Err: errors.New("reset for the test")}
	})
	client := newFakeService(t, opened).client(t, remotebrowser.WithHTTPClient(&http.Client{Transport: transport}))
	_, err := client.Open(context.Background(), nil)
	expect[*remotebrowser.ConnectionError](t, err)
	if calls != 1 {
		t.Errorf("it was sent %d times", calls)
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (r roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return r(request) }
