package remotebrowser_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	remotebrowser "github.com/remote-browser/remote-browser-service/clients/go"
)

func TestTheSizeOfAResponseIsLimited(t *testing.T) {
	spaces := bytes.Repeat([]byte(" "), 1<<20)
	endless := func(status int) http.HandlerFunc {
		return func(writer http.ResponseWriter, _ *http.Request) {
			writer.Header().Set("Content-Type", "application/json")
			writer.WriteHeader(status)
			for {
				if _, err := writer.Write(spaces); err != nil {
					return
				}
			}
		}
	}
	err := ask(t, newFakeService(t, endless(200)).client(t), "list")
	expect[*remotebrowser.InvalidAnswerError](t, err)
	err = ask(t, newFakeService(t, endless(500)).client(t), "list")
	if status := expect[*remotebrowser.APIError](t, err).Status; status != 500 {
		t.Errorf("the status is %d", status)
	}
}

func TestTheSizeOfAResponseIsLimitedAfterDecompression(t *testing.T) {
	var packed bytes.Buffer
	packer := gzip.NewWriter(&packed)
	spaces := make([]byte, 1<<20)
	for range 65 {
		_, _ = packer.Write(spaces)
	}
	_ = packer.Close()
	service := newFakeService(t, answerJSON(200, packed.String(), "Content-Encoding", "gzip"))
	err := ask(t, service.client(t), "list")
	expect[*remotebrowser.InvalidAnswerError](t, err)
	service.expectRequests(t, 1)
}

func TestAProtocolUpgradeDoesNotBlockACall(t *testing.T) {
	left := make(chan struct{})
	service := newFakeService(t, func(writer http.ResponseWriter, _ *http.Request) {
		connection, _, err := writer.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer connection.Close()
		fmt.Fprint(connection, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n")
		_, _ = connection.Read(make([]byte, 1)) // until the client disconnects
		close(left)
	})
	err := ask(t, service.client(t), "list")
	expect[*remotebrowser.InvalidAnswerError](t, err)
	select {
	case <-left:
	case <-time.After(5 * time.Second):
		t.Error("the connection stays open")
	}
}

func TestARedirectWithAnInvalidLocationIsAnAPIError(t *testing.T) {
	service := newFakeService(t, answerJSON(307, "", "Location", "http://[::nowhere"))
	err := ask(t, service.client(t), "list")
	if status := expect[*remotebrowser.APIError](t, err).Status; status != 307 || strings.Contains(err.Error(), "nowhere") {
		t.Errorf("the status is %d", status)
	}
	service.expectRequests(t, 1)
}
