package remotechromedp_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http/httptest"
	"strings"
	"testing"

	remotebrowser "github.com/remote-browser/remote-browser-service/clients/go"
	"github.com/remote-browser/remote-browser-service/clients/go/remotechromedp"
)

const secretID = "AAAAAAAAAAAAAAAAAAAAAA"

func TestFailingToConnectIsAConnectionErrorWithoutTheAddress(t *testing.T) {
	refusing := httptest.NewServer(nil) // 404 for every request
	defer refusing.Close()
	for name, host := range map[string]string{"nothing listens": unusedHost(t), "it is not a browser": refusing.Listener.Addr().String()} {
		t.Run(name, func(t *testing.T) {
			_, _, err := remotechromedp.NewContext(context.Background(), attach(t, host))
			var failure *remotebrowser.ConnectionError
			if !errors.As(err, &failure) {
				t.Fatalf("got a %T: %v", err, err)
			}
			if failure.Server != host || !strings.Contains(err.Error(), host) {
				t.Errorf("%q does not name %s", err, host)
			}
			for cause := err; cause != nil; cause = errors.Unwrap(cause) {
				if strings.Contains(fmt.Sprintf("%v %+v %#v", cause, cause, cause), secretID) {
					t.Errorf("the error shows the address: %v", cause)
				}
			}
		})
	}
}

func TestCancellingWhileConnectingIsContextCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := remotechromedp.NewContext(ctx, attach(t, unusedHost(t))); !errors.Is(err, context.Canceled) {
		t.Errorf("got a %T: %v", err, err)
	}
}

func attach(t *testing.T, host string) *remotebrowser.Browser {
	t.Helper()
	client, err := remotebrowser.NewClient(remotebrowser.WithToken("rbs_test"))
	if err != nil {
		t.Fatal(err)
	}
	browser, err := client.Browser("ws://" + host + "/devtools/browser/" + secretID)
	if err != nil {
		t.Fatal(err)
	}
	return browser
}

// unusedHost returns a host and port that refuses connections.
func unusedHost(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}
