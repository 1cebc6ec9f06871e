package remotebrowser_test

import (
	"fmt"
	"strings"
	"testing"

	remotebrowser "github.com/remote-browser/remote-browser-service/clients/go"
)

func TestAnErrorWithOnlyANameIsFromTheService(t *testing.T) {
	for body, wanted := range map[string]struct{ class, name, message, requestID string }{
		`{"name":"BrowserNotFound"}`:                                                {"*remotebrowser.BrowserNotFoundError", "BrowserNotFound", "", "from the header"},
		`{"name":"NoUnits","message":7,"requestId":""}`:                             {"*remotebrowser.NoUnitsError", "NoUnits", "", "from the header"},
		`{"name":"BadRequest","message":"m","requestId":"r","errors":[{"path":1}]}`: {"*remotebrowser.BadRequestError", "BadRequest", "m", "r"},
		`{"name":"UnknownToThisVersion","requestId":["r"]}`:                         {"*remotebrowser.APIError", "UnknownToThisVersion", "", "from the header"},
		`{"name":""}`:          {"*remotebrowser.APIError", "", `the response isn't from the service and may be from a gateway: {"name":""}`, "from the header"},
		`{"name":null}`:        {"*remotebrowser.APIError", "", `the response isn't from the service and may be from a gateway: {"name":null}`, "from the header"},
		`[{"name":"NoUnits"}]`: {"*remotebrowser.APIError", "", `the response isn't from the service and may be from a gateway: [{"name":"NoUnits"}]`, "from the header"},
		`{"name":"NoUnits"} !`: {"*remotebrowser.APIError", "", `the response isn't from the service and may be from a gateway: {"name":"NoUnits"} !`, "from the header"},
	} {
		service := newFakeService(t, answerJSON(418, body, "X-Request-Id", "from the header", "Content-Type", "text/plain"))
		err := ask(t, service.client(t), "list")
		base := expect[*remotebrowser.APIError](t, err)
		if class := fmt.Sprintf("%T", err); class != wanted.class || base.Status != 418 {
			t.Errorf("%s becomes a %s with %d", body, class, base.Status)
		}
		if base.Name != wanted.name || base.Message != wanted.message || base.RequestID != wanted.requestID {
			t.Errorf("%s is read as %+v", body, *base)
		}
		if bad, ok := err.(*remotebrowser.BadRequestError); ok && len(bad.Errors) != 0 {
			t.Errorf("a misshapen list is read as %v", bad.Errors)
		}
	}
}

func TestTheListIsReadEvenIfOtherMembersAreMissing(t *testing.T) {
	body := `{"name":"BadRequest","errors":[{"path":"/a","message":"b"}]}`
	err := ask(t, newFakeService(t, answerJSON(400, body)).client(t), "list")
	if list := expect[*remotebrowser.BadRequestError](t, err).Errors; len(list) != 1 || list[0].Path != "/a" {
		t.Errorf("the list is %v", list)
	}
}

func TestTheErrorForARedirectShowsItsTarget(t *testing.T) {
	for aim, origin := range map[string]string{
		"https://browsers.example.com:8443/hush?hush#hush": "https://browsers.example.com:8443,",
		"http://me:hush@elsewhere.example.com/":            "http://elsewhere.example.com,",
		"//elsewhere.example.com/hush":                     "http://elsewhere.example.com,",
	} {
		service := newFakeService(t, answerJSON(308, "hush", "Location", aim))
		message := expect[*remotebrowser.APIError](t, ask(t, service.client(t), "list")).Message
		if !strings.Contains(message, origin) || !strings.Contains(message, "redirects are not followed") || strings.Contains(message, "hush") {
			t.Errorf("the message is %q", message)
		}
		service.expectRequests(t, 1)
	}
}

func TestAGatewaysRetryAfterIsIgnored(t *testing.T) {
	service := newFakeService(t, answerJSON(503, "busy", "Retry-After", "60"), listed)
	if err := ask(t, service.client(t, remotebrowser.WithRetries(1)), "list"); err != nil {
		t.Error(err)
	}
	service = newFakeService(t, answerJSON(503, "busy", "Retry-After", "60"))
	err := ask(t, service.client(t, remotebrowser.WithRetries(0)), "list")
	if after := expect[*remotebrowser.APIError](t, err).RetryAfter; after != nil {
		t.Errorf("a gateway says %v", *after)
	}
}
