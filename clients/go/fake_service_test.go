package remotebrowser_test

import (
	"encoding/json"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	remotebrowser "github.com/remote-browser/remote-browser-service/clients/go"
)

const (
	fakeToken     = "rbs_secret_token"
	fakeID        = "AAAAAAAAAAAAAAAAAAAAAA"
	fakeBrowserID = "br_01kxm2a7c9rt4bn8swzh3df6g1"
	fakeAddress   = "ws://127.0.0.1:9/devtools/browser/" + fakeID
)

// fakeService responds to requests with scripted responses, one after the other. The last one repeats.
type fakeService struct {
	*httptest.Server
	mutex    sync.Mutex
	requests []received
}

type received struct {
	path   string
	query  string
	body   map[string]any
	raw    string
	header http.Header
}

func newFakeService(t *testing.T, answers ...http.HandlerFunc) *fakeService {
	t.Helper()
	service := &fakeService{}
	service.Server = httptest.NewServer(http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		raw, _ := io.ReadAll(request.Body)
		one := received{path: request.URL.Path, query: request.URL.RawQuery, raw: string(raw), header: request.Header}
		_ = json.Unmarshal(raw, &one.body)
		service.mutex.Lock()
		service.requests = append(service.requests, one)
		answer := answers[min(len(service.requests), len(answers))-1]
		service.mutex.Unlock()
		answer(writer, request)
	}))
	t.Cleanup(service.Close)
	return service
}

// all returns the requests so far.
func (s *fakeService) all() []received {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return append([]received(nil), s.requests...)
}

func (s *fakeService) expectRequests(t *testing.T, count int) {
	t.Helper()
	if came := len(s.all()); came != count {
		t.Fatalf("expected %d requests, got %d", count, came)
	}
}

// client creates a client of the fake service. Options override the defaults.
func (s *fakeService) client(t *testing.T, options ...remotebrowser.Option) *remotebrowser.Client {
	t.Helper()
	client, err := remotebrowser.NewClient(append([]remotebrowser.Option{
		remotebrowser.WithURL(s.URL),
		remotebrowser.WithToken(fakeToken),
	}, options...)...)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

const openRecord = `{"id":"` + fakeBrowserID + `","state":"open","startedOn":"2026-03-14T09:26:53.589Z","endedOn":null,
	"reason":null,"units":4,"bytesSent":48211,"bytesReceived":null,"address":"` + fakeAddress + `","vncpass":"87654321",
	"label":"shop","tags":["nightly"],"browser":2,"headless":false,"keepOpen":2.5,"closesOn":null,"clients":0,
	"desktop":true,"new":{}}`

func answerJSON(status int, body string, headers ...string) http.HandlerFunc {
	return func(writer http.ResponseWriter, _ *http.Request) {
		writer.Header().Set("Content-Type", "application/json")
		for at := 0; at < len(headers); at += 2 {
			writer.Header().Set(headers[at], headers[at+1])
		}
		writer.WriteHeader(status)
		_, _ = io.WriteString(writer, body)
	}
}

func answerError(status int, name string, headers ...string) http.HandlerFunc {
	text, _ := json.Marshal(map[string]any{
		"status": status, "name": name, "message": "It was refused.", "requestId": "01ABC",
		"errors": []any{map[string]any{"path": "/KeepOpen", "message": "It is negative."}},
	})
	return answerJSON(status, string(text), headers...)
}

// cut closes the connection without a response.
func cut(writer http.ResponseWriter, _ *http.Request) {
	connection, _, err := writer.(http.Hijacker).Hijack()
	if err == nil {
		connection.Close()
	}
}

// silent never responds; it returns when the client disconnects.
func silent(_ http.ResponseWriter, request *http.Request) { <-request.Context().Done() }

// discard drops the server's log about clients that don't trust its certificate.
var discard = log.New(io.Discard, "", 0)

var (
	account = answerJSON(200, `{"plan":null,"parallel":3,"open":0,"period":"2026-03","unitsUsed":0,"unitsLeft":null,"additionalUnits":false,"maxLifetime":null}`)
	opened  = answerJSON(200, `{"status":200,"address":"`+fakeAddress+`"}`)
	// What a service of contract version 1.1 responds.
	openedWithID = answerJSON(200, `{"status":200,"address":"`+fakeAddress+`","id":"`+fakeBrowserID+`"}`)
	done         = answerJSON(200, `{"status":200}`)
	recorded     = answerJSON(200, openRecord)
	listed       = answerJSON(200, `{"sessions":[]}`)
	answered     = answerJSON(200, `{"status":200,"response":"yes"}`)
)
