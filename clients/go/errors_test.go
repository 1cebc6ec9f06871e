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

func TestAnErrorHasItsOwnTypeAndWrapsAnAPIError(t *testing.T) {
	err := ask(t, newFakeService(t, answerError(400, "BadRequest")).client(t), "list")
	bad := expect[*remotebrowser.BadRequestError](t, err)
	if len(bad.Errors) != 1 || bad.Errors[0] != (remotebrowser.BadRequestProblem{Path: "/KeepOpen", Message: "It is negative."}) {
		t.Errorf("the list is %v", bad.Errors)
	}
	base := expect[*remotebrowser.APIError](t, err)
	if base.Status != 400 || base.Name != "BadRequest" || base.RequestID != "01ABC" {
		t.Errorf("got %+v", *base)
	}
	for _, part := range []string{"BadRequest", "400", "01ABC", "It was refused."} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not contain %q", err, part)
		}
	}
}

func TestOnlyWholeSecondsOfRetryAfterCount(t *testing.T) {
	seven := 7 * time.Second
	for text, wanted := range map[string]*time.Duration{
		"7": &seven, "soon": nil, "7.5": nil, "-7": nil, "+7": nil, "": nil,
		time.Now().Add(time.Minute).UTC().Format(http.TimeFormat): nil,
	} {
		service := newFakeService(t, answerError(503, "ProviderUnavailable", "Retry-After", text))
		err := ask(t, service.client(t, remotebrowser.WithRetries(0)), "query")
		after := expect[*remotebrowser.ProviderUnavailableError](t, err).RetryAfter
		if (after == nil) != (wanted == nil) || after != nil && *after != *wanted {
			t.Errorf("%q is read as %v", text, after)
		}
	}
}

func TestAGatewaysPageIsTruncatedAndHidesSecrets(t *testing.T) {
	page := "<html>\n \x1b Bearer " + fakeToken + ` {"address":"` + fakeAddress + `"}` + strings.Repeat(" and so on", 100)
	err := ask(t, newFakeService(t, answerJSON(404, page)).client(t), "list")
	failure := expect[*remotebrowser.APIError](t, err)
	if failure.Name != "" || failure.Status != 404 || !strings.Contains(failure.Message, `<html> Bearer … {"address":"ws://127.0.0.1:9/devtools/browser/…"}`) {
		t.Errorf("got %+v", *failure)
	}
	expectNoSecrets(t, []string{fakeToken, fakeAddress}, err)
	if len(err.Error()) > 400 {
		t.Errorf("the message is %q", err)
	}
}

func TestAMessageThatRepeatsSecretsHidesThem(t *testing.T) {
	body := `{"status":0,"name":"Unknown","message":"` + fakeToken + " at " + fakeAddress + `","requestId":"01ABC"}`
	err := ask(t, newFakeService(t, answerJSON(500, body)).client(t), "list")
	if message := expect[*remotebrowser.UnknownError](t, err).Message; message != "… at ws://127.0.0.1:9/devtools/browser/…" {
		t.Errorf("the message is %q", message)
	}
}

func TestAnXHTMLPageIsAnInvalidAnswer(t *testing.T) {
	page := answerJSON(200, "<html><body>Log in first.</body></html>", "Content-Type", "application/xhtml+xml")
	for name, operation := range operations {
		t.Run(name, func(t *testing.T) {
			expect[*remotebrowser.InvalidAnswerError](t, operation.ask(context.Background(), newFakeService(t, page).client(t)))
		})
	}
}

func TestASuccessThatDoesNotMatchTheContractIsInvalid(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"an empty body":        answerJSON(200, ""),
		"no content":           answerJSON(204, ""),
		"no JSON":              answerJSON(200, "<html>"),
		"a list":               answerJSON(200, "[]"),
		"no address":           answerJSON(200, `{"status":200}`),
		"null for the address": answerJSON(200, `{"status":200,"address":null}`),
		"null as a whole":      answerJSON(200, "null"),
		"another type":         answerJSON(200, "hello", "Content-Type", "text/plain"),
		"not marked as JSON":   answerJSON(200, `{"status":200,"address":"ws://x"}`, "Content-Type", "application/xml"),
	} {
		t.Run(name, func(t *testing.T) {
			service := newFakeService(t, answer)
			_, err := service.client(t).Open(context.Background(), nil)
			expect[*remotebrowser.InvalidAnswerError](t, err)
			service.expectRequests(t, 1)
		})
	}
}

func TestNullForARequiredMemberIsInvalid(t *testing.T) {
	for operation, answer := range map[string]string{
		"list":         `{"sessions":null}`,
		"startDesktop": `{"status":200,"password":null,"viewPassword":"12345678","url":"http://x","rfbUrl":"ws://x"}`,
	} {
		err := ask(t, newFakeService(t, answerJSON(200, answer)).client(t), operation)
		expect[*remotebrowser.InvalidAnswerError](t, err)
	}
	session := `{"sessions":[{"startedOn":null,"label":null,"address":"` + fakeAddress + `","vncpass":null}]}`
	expect[*remotebrowser.InvalidAnswerError](t, ask(t, newFakeService(t, answerJSON(200, session)).client(t), "list"))
}

func TestTheErrorForALostConnectionSaysThatItWasLost(t *testing.T) {
	service := newFakeService(t, cut)
	err := ask(t, service.client(t), "query")
	failure := expect[*remotebrowser.ConnectionError](t, err)
	if failure.Server != service.Listener.Addr().String() || failure.Operation != "query" || errors.Unwrap(err) == nil {
		t.Errorf("got %+v", *failure)
	}
	if !strings.Contains(err.Error(), "was lost") || strings.Contains(err.Error(), "/api/") {
		t.Errorf("the message is %q", err)
	}
}

func TestOnlyCloseSucceedsForAnEndedBrowser(t *testing.T) {
	ctx := context.Background()
	browser := attach(t, newFakeService(t, answerError(404, "BrowserNotFound")).client(t), fakeAddress)
	if err := browser.Close(ctx); err != nil {
		t.Error(err)
	}
	_, err := browser.StartDesktop(ctx)
	expect[*remotebrowser.BrowserNotFoundError](t, err)
	expect[*remotebrowser.BrowserNotFoundError](t, browser.StopDesktop(ctx))
	other := attach(t, newFakeService(t, answerError(404, "NotFound")).client(t), fakeAddress)
	expect[*remotebrowser.NotFoundError](t, other.Close(ctx))
}
