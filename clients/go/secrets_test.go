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

func TestPrintedValuesHideSecrets(t *testing.T) {
	client := newFakeService(t, cut).client(t)
	browser := attach(t, client, fakeAddress)
	_, failure := browser.StartDesktop(context.Background())
	held := struct{ browser remotebrowser.Browser }{*browser}
	secret := "87654321"
	session := remotebrowser.Session{StartedOn: time.Now(), Address: fakeAddress, VNCPass: &secret}
	desktop := remotebrowser.Desktop{Password: secret, ViewPassword: secret, URL: "http://x/desktop/" + fakeID, RFBURL: "ws://x/desktop/" + fakeID}
	proxy := &remotebrowser.Proxy{Host: "http://me:" + secret + "@h", Port: "1", Password: &secret}
	expectNoSecrets(t, []string{fakeToken, fakeID, secret}, client, *client, browser, *browser, held, failure,
		session, &session, []remotebrowser.Session{session}, desktop, &desktop,
		proxy, *proxy, remotebrowser.OpenOptions{Proxy: proxy}, &remotebrowser.OpenOptions{Proxy: proxy})
}

func TestEveryTextOfAnErrorHidesSecrets(t *testing.T) {
	leak := fakeToken + " " + fakeAddress
	body := `{"name":"BadRequest","message":"` + leak + `","requestId":"` + leak + `","errors":[{"path":"` + leak + `","message":"` + leak + `"}]}`
	err := ask(t, newFakeService(t, answerJSON(400, body)).client(t), "list")
	bad := expect[*remotebrowser.BadRequestError](t, err)
	if len(bad.Errors) != 1 {
		t.Fatalf("the list has %d elements", len(bad.Errors))
	}
	expectNoSecrets(t, []string{fakeToken, fakeID}, err, *bad.APIError, bad.Errors)
}

func TestAnIDIsHiddenUpToTheEndOfItsPathSegment(t *testing.T) {
	for _, end := range []string{"/rfb", "?a", "#a", `\"`, "'", "<", " ", "\n", ""} {
		for _, path := range []string{"/devtools/browser/", "/desktop/", `\/desktop\/`} {
			err := ask(t, newFakeService(t, answerJSON(404, "at ws://h"+path+"ABC"+end+"z")).client(t), "list")
			message := expect[*remotebrowser.APIError](t, err).Message
			if strings.Contains(message, "ABC") || end != "" && !strings.HasSuffix(message, "z") {
				t.Errorf("%q before %q is shown as %q", path, end, message)
			}
		}
	}
}

func TestAShortTokenDoesNotRevealAnID(t *testing.T) {
	client := newFakeService(t, answerJSON(404, "at "+fakeAddress)).client(t, remotebrowser.WithToken("o"))
	expectNoSecrets(t, []string{fakeID}, ask(t, client, "list"))
}

func TestErrorsOfATransportHideSecrets(t *testing.T) {
	transport := roundTripper(func(request *http.Request) (*http.Response, error) {
		return nil, &wrapped{errors.New("sent " + request.Header.Get("Authorization"))}
	})
	client := newFakeService(t, opened).client(t, remotebrowser.WithHTTPClient(&http.Client{Transport: transport}))
	err := ask(t, client, "open")
	expect[*remotebrowser.ConnectionError](t, err)
	expectNoSecrets(t, []string{fakeToken}, err)
}

// wrapped shows less than its cause.
type wrapped struct{ cause error }

func (*wrapped) Error() string   { return "it broke" }
func (w *wrapped) Unwrap() error { return w.cause }

func TestInvalidAnswerErrorsDoNotShowValues(t *testing.T) {
	ctx := context.Background()
	for member, session := range map[string]string{
		"times":          `{"startedOn":"hush","label":null,"address":"ws://x","vncpass":null}`,
		"vncpass":        `{"startedOn":"2026-03-14T09:26:54Z","label":null,"address":"hush","vncpass":1234}`,
		"address":        `{"startedOn":"2026-03-14T09:26:54Z","label":"hush","vncpass":null}`,
		"the wrong type": `"hush"`,
	} {
		err := ask(t, newFakeService(t, answerJSON(200, `{"sessions":[`+session+`]}`)).client(t), "list")
		expect[*remotebrowser.InvalidAnswerError](t, err)
		expectNoSecrets(t, []string{"hush", "1234"}, err)
		if !strings.Contains(err.Error(), member) {
			t.Errorf("%q does not name the %s", err, member)
		}
	}
	for value, place := range map[string]string{
		`"hush"`:                               `""`,
		`[{"product":"a","price":"hush"}]`:     `"/0/price"`,
		`[{"product":"a"}]`:                    `"/0/price"`,
		`[{"product":"a","price":1,"hush":1}]`: `"/0"`,
	} {
		service := newFakeService(t, answerJSON(200, `{"status":200,"response":"","value":`+value+`}`))
		_, err := remotebrowser.QueryAs[[]product](ctx, service.client(t), "<p>", "?")
		expect[*remotebrowser.InvalidAnswerError](t, err)
		if strings.Contains(err.Error(), "hush") || !strings.Contains(err.Error(), place) {
			t.Errorf("the error for %s is %q", value, err)
		}
	}
}
