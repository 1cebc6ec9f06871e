package remotebrowser_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	remotebrowser "github.com/remote-browser/remote-browser-service/clients/go"
)

func TestConnectionsAreNotReused(t *testing.T) {
	connections := map[string]bool{}
	service := newFakeService(t, func(writer http.ResponseWriter, request *http.Request) {
		connections[request.RemoteAddr] = true
		listed(writer, request)
	})
	client := service.client(t)
	for range 3 {
		if err := ask(t, client, "list"); err != nil {
			t.Fatal(err)
		}
	}
	if len(connections) != 3 {
		t.Errorf("%d connections for 3 requests", len(connections))
	}
}

func TestCustomCertificatesAndHTTP2(t *testing.T) {
	var protocol string
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		protocol = request.Proto
		listed(writer, request)
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	client, err := remotebrowser.NewClient(remotebrowser.WithURL(server.URL), remotebrowser.WithToken(fakeToken),
		remotebrowser.WithHTTPClient(server.Client()))
	if err != nil {
		t.Fatal(err)
	}
	if err := ask(t, client, "list"); err != nil {
		t.Fatal(err)
	}
	if protocol != "HTTP/2.0" {
		t.Errorf("the protocol is %s", protocol)
	}
}
