package remotebrowser_test

import (
	"context"
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	remotebrowser "github.com/remote-browser/remote-browser-service/clients/go"
)

const (
	openPath    = "/api/v1/Browser/Open"
	accountPath = "/api/v1/Account/Get"
)

// Failures after which the service may have opened a browser.
var doubts = map[string]struct {
	handler http.HandlerFunc
	is      func(error) bool
}{
	"a lost connection":         {cut, isError[*remotebrowser.ConnectionError]},
	"an attempt that timed out": {silent, isError[*remotebrowser.TimeoutError]},
	"a gateway's response":      {answerJSON(504, "<h1>Too late</h1>"), isError[*remotebrowser.APIError]},
}

func isError[T error](err error) bool {
	var wanted T
	return errors.As(err, &wanted)
}

func (s *fakeService) paths() []string {
	var paths []string
	for _, request := range s.all() {
		paths = append(paths, request.path)
	}
	return paths
}

func (s *fakeService) keys() []string {
	var keys []string
	for _, request := range s.all() {
		keys = append(keys, request.header.Get("Idempotency-Key"))
	}
	return keys
}

func (s *fakeService) expectPaths(t *testing.T, paths ...string) {
	t.Helper()
	if came := s.paths(); !slices.Equal(came, paths) {
		t.Fatalf("got %v, expected %v", came, paths)
	}
}

func mustOpen(t *testing.T, client *remotebrowser.Client) {
	t.Helper()
	if _, err := client.Open(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
}

func TestEachOpenRequestHasItsOwnKey(t *testing.T) {
	service := newFakeService(t, opened, opened, account)
	client := service.client(t)
	mustOpen(t, client)
	mustOpen(t, client)
	if _, err := client.Account(context.Background()); err != nil {
		t.Fatal(err)
	}
	keys, form := service.keys(), regexp.MustCompile("^[0-9a-f]{32}$")
	if !form.MatchString(keys[0]) || !form.MatchString(keys[1]) || keys[0] == keys[1] || keys[2] != "" {
		t.Errorf("got %q", keys)
	}
}

func TestAnOpenRequestIsSentAgainWithTheSameKey(t *testing.T) {
	for name, doubt := range doubts {
		t.Run("after "+name, func(t *testing.T) {
			service := newFakeService(t, doubt.handler, account, openedWithID)
			mustOpen(t, service.client(t, remotebrowser.WithTimeout(300*time.Millisecond)))
			service.expectPaths(t, openPath, accountPath, openPath)
			if keys := service.keys(); keys[0] != keys[2] || keys[1] != "" {
				t.Errorf("got %q", keys)
			}
		})
	}
}

func TestWithoutProofOfVersion11AnOpenIsNotRetried(t *testing.T) {
	for name, doubt := range doubts {
		for shown, proof := range map[string]http.HandlerFunc{
			"version 1.0": answerError(404, "NotFound"),
			"a refusal that version 1.0 may send too": answerError(401, "AuthorizationError"),
			"a page":         answerJSON(200, "<html>"),
			"another object": answerJSON(200, "{}"),
			"nothing":        cut,
		} {
			t.Run("after "+name+" and "+shown, func(t *testing.T) {
				service := newFakeService(t, doubt.handler, proof)
				_, err := service.client(t, remotebrowser.WithTimeout(300*time.Millisecond)).Open(context.Background(), nil)
				if !doubt.is(err) || !strings.HasPrefix(err.Error(), "remotebrowser: ") || strings.Contains(err.Error(), "account") {
					t.Errorf("got %v", err)
				}
				if opens := slices.DeleteFunc(service.paths(), func(path string) bool { return path != openPath }); len(opens) != 1 {
					t.Errorf("%d Open requests", len(opens))
				}
			})
		}
	}
}

func TestTheClientRemembersThatAServiceHasVersion11(t *testing.T) {
	service := newFakeService(t, cut, account, opened, cut, opened)
	client := service.client(t)
	mustOpen(t, client)
	mustOpen(t, client)
	service.expectPaths(t, openPath, accountPath, openPath, openPath, openPath)
}

func TestABrowsersIDProvesVersion11WithoutAnotherRequest(t *testing.T) {
	service := newFakeService(t, openedWithID, cut, openedWithID)
	client := service.client(t)
	mustOpen(t, client)
	mustOpen(t, client)
	service.expectPaths(t, openPath, openPath, openPath)
}

func TestAKeyInUseIsRetriedAndAReusedOneIsNot(t *testing.T) {
	service := newFakeService(t, answerError(409, "IdempotencyKeyInUse", "Retry-After", "0"),
		answerError(422, "IdempotencyKeyReused", "Retry-After", "0"))
	_, err := service.client(t).OpenWithKey(context.Background(), "mine", nil)
	expect[*remotebrowser.IdempotencyKeyReusedError](t, err)
	if keys := service.keys(); !slices.Equal(keys, []string{"mine", "mine"}) {
		t.Errorf("got %q", keys)
	}
}

func TestAKeyThatAHeaderCannotHaveIsRefusedBeforeAnyRequest(t *testing.T) {
	service := newFakeService(t, opened)
	for _, key := range []string{"a\nb", "a b", "ключ"} {
		if _, err := service.client(t).OpenWithKey(context.Background(), key, nil); err == nil {
			t.Errorf("%q is accepted", key)
		}
	}
	service.expectRequests(t, 0)
}

func TestCancellingDuringTheVersionCheckEndsTheOpen(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	service := newFakeService(t, cut, func(writer http.ResponseWriter, request *http.Request) {
		cancel()
		silent(writer, request)
	})
	_, err := service.client(t).Open(ctx, nil)
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "open") {
		t.Errorf("got %v", err)
	}
	service.expectPaths(t, openPath, accountPath)
}

func TestNetHTTPDoesNotRepeatAnOpenOnAReusedConnection(t *testing.T) {
	service := newFakeService(t, listed, cut, answerError(404, "NotFound"))
	reusing := &http.Transport{}
	defer reusing.CloseIdleConnections()
	client := service.client(t, remotebrowser.WithHTTPClient(&http.Client{Transport: roundTripper(reusing.RoundTrip)}))
	if err := ask(t, client, "list"); err != nil {
		t.Fatal(err)
	}
	_, err := client.Open(context.Background(), nil)
	expect[*remotebrowser.ConnectionError](t, err)
	service.expectPaths(t, "/api/v1/Browser/Get", openPath, accountPath)
}
