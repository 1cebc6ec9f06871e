package remotebrowser_test

import (
	"fmt"
	"strings"
	"testing"

	remotebrowser "github.com/remote-browser/remote-browser-service/clients/go"
)

func TestAllInvalidSettingsAreNamedTogether(t *testing.T) {
	_, err := remotebrowser.NewClient(
		remotebrowser.WithURL("ftp://somewhere"),
		remotebrowser.WithToken("secret token\n"),
		remotebrowser.WithTimeout(0),
		remotebrowser.WithTotalTimeout(-1),
		remotebrowser.WithRetries(-2),
		remotebrowser.WithHeader("authorization", "Bearer x"),
		remotebrowser.WithHeader("Accept-Encoding", "gzip"),
		remotebrowser.WithHeader("X Y", ""),
		remotebrowser.WithHeader("X-Z", "a\nb"),
		remotebrowser.WithHTTPClient(nil),
	)
	if err == nil {
		t.Fatal("NewClient succeeded")
	}
	for _, part := range []string{"ftp://somewhere", "the token", "0s", "-1ns", "-2", "authorization", "Accept-Encoding", `"X Y"`, "X-Z", "HTTP client"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not contain %q", err, part)
		}
	}
	if strings.Contains(err.Error(), "secret") {
		t.Errorf("%q shows the token", err)
	}
}

func TestInvalidURLsAreRefused(t *testing.T) {
	for _, url := range []string{"", "browsers.example.com", "http://", "http://a?b", "http://a/#b", "http://a/#", "http://:8080", "http://me:secret@a", "http://me:secret@a b", "http://me@a", "http://@a", "http://a?", "http://a?token=secret", "http://a#@secret"} {
		_, err := remotebrowser.NewClient(remotebrowser.WithURL(url), remotebrowser.WithToken("t"))
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q gives %v", url, err)
		}
	}
}

func TestAPathMayContainAnAt(t *testing.T) {
	service := newFakeService(t, listed)
	if err := ask(t, service.client(t, remotebrowser.WithURL(service.URL+"/@me")), "list"); err != nil {
		t.Fatal(err)
	}
	if path := service.all()[0].path; path != "/@me/api/v1/Browser/Get" {
		t.Errorf("the path is %s", path)
	}
}

func TestHeadersThatTheClientSetsAreRefusedInAnySpelling(t *testing.T) {
	for _, name := range []string{"authorization", "HOST", "content-Type", "Content-Length", "connection", "transfer-encoding"} {
		_, err := remotebrowser.NewClient(remotebrowser.WithToken("t"), remotebrowser.WithHeader(name, "x"))
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s gives %v", name, err)
		}
	}
}

func TestDefaultsComeFromTheEnvironment(t *testing.T) {
	service := newFakeService(t, listed)
	t.Setenv("RBS_URL", service.URL)
	t.Setenv("RBS_TOKEN", fakeToken)
	client, err := remotebrowser.NewClient()
	if err != nil {
		t.Fatal(err)
	}
	if err := ask(t, client, "list"); err != nil {
		t.Fatal(err)
	}
	t.Setenv("RBS_URL", "")
	client, err = remotebrowser.NewClient()
	if err != nil || fmt.Sprint(client) != "remotebrowser.Client(http://127.0.0.1:8080)" {
		t.Errorf("an empty RBS_URL gives %v, %v", client, err)
	}
	t.Setenv("RBS_TOKEN", "")
	if _, err := remotebrowser.NewClient(); err == nil || !strings.Contains(err.Error(), "RBS_TOKEN") {
		t.Errorf("without a token: %v", err)
	}
	if _, err := remotebrowser.NewClient(remotebrowser.WithToken("")); err == nil {
		t.Error("an empty token is accepted")
	}
}
