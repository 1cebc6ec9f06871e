package remotebrowser_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	remotebrowser "github.com/remote-browser/remote-browser-service/clients/go"
)

// slow never finishes dialling, and counts how often it is asked to.
type slow struct{ dials atomic.Int32 }

func (s *slow) option() remotebrowser.Option {
	return remotebrowser.WithHTTPClient(&http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			s.dials.Add(1)
			<-ctx.Done()
			return nil, ctx.Err()
		},
	}})
}

func TestTheConnectTimeoutAppliesToEveryOperation(t *testing.T) {
	for name, operation := range operations {
		t.Run(name, func(t *testing.T) {
			var slow slow
			client := newFakeService(t, operation.success).client(t, slow.option(),
				remotebrowser.WithConnectTimeout(50*time.Millisecond), remotebrowser.WithRetries(1))
			err := operation.ask(context.Background(), client)
			expect[*remotebrowser.ConnectionError](t, err)
			if !strings.Contains(err.Error(), "no connection within 50ms") {
				t.Errorf("the message is %q", err)
			}
			if slow.dials.Load() != 2 {
				t.Errorf("dialled %d times", slow.dials.Load())
			}
		})
	}
}

func TestAResponseMayTakeLongerThanTheConnectTimeout(t *testing.T) {
	service := newFakeService(t, func(writer http.ResponseWriter, request *http.Request) {
		time.Sleep(150 * time.Millisecond) // longer than the connect timeout
		listed(writer, request)
	})
	if err := ask(t, service.client(t, remotebrowser.WithConnectTimeout(50*time.Millisecond)), "list"); err != nil {
		t.Error(err)
	}
}

func TestATimeoutWhileConnectingIsATimeoutError(t *testing.T) {
	var slow slow
	client := newFakeService(t, opened).client(t, slow.option(), remotebrowser.WithTimeout(50*time.Millisecond), remotebrowser.WithRetries(0))
	_, err := client.Open(context.Background(), nil)
	expectTimeout(t, err)
	if !strings.Contains(err.Error(), "within 50ms (WithTimeout)") {
		t.Errorf("the message is %q", err)
	}
	if slow.dials.Load() != 1 {
		t.Errorf("dialled %d times", slow.dials.Load())
	}
}

func TestATLSFailureIsNotRetried(t *testing.T) {
	encrypted := httptest.NewUnstartedServer(http.HandlerFunc(listed))
	encrypted.Config.ErrorLog = discard
	encrypted.StartTLS()
	defer encrypted.Close()
	for name, url := range map[string]string{
		"an untrusted certificate": encrypted.URL,
		"no TLS at all":            strings.Replace(newFakeService(t, listed).URL, "http:", "https:", 1),
	} {
		t.Run(name, func(t *testing.T) {
			var dials atomic.Int32
			transport := &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				dials.Add(1)
				return (&net.Dialer{}).DialContext(ctx, network, address)
			}}
			client, err := remotebrowser.NewClient(remotebrowser.WithURL(url), remotebrowser.WithToken(fakeToken),
				remotebrowser.WithHTTPClient(&http.Client{Transport: transport}))
			if err != nil {
				t.Fatal(err)
			}
			err = ask(t, client, "list")
			expect[*remotebrowser.ConnectionError](t, err)
			if !strings.Contains(err.Error(), "could not connect") {
				t.Errorf("the message is %q", err)
			}
			if dials.Load() != 1 {
				t.Errorf("dialled %d times", dials.Load())
			}
		})
	}
}
