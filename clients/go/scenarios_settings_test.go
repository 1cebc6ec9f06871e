package remotebrowser_test

import (
	"strings"
	"testing"

	remotebrowser "github.com/remote-browser/remote-browser-service/clients/go"
	"github.com/remote-browser/remote-browser-service/clients/go/internal/stage"
)

func playSettingsEnvironment(t *testing.T, place stage.Stage, _ stage.Scenario) {
	t.Setenv("RBS_URL", place.URL)
	t.Setenv("RBS_TOKEN", place.Token)
	client, err := remotebrowser.NewClient()
	if err != nil {
		t.Fatal(err)
	}
	if err := ask(t, client, "list"); err != nil {
		t.Fatal(err)
	}
}

func playSettingsNoToken(t *testing.T, place stage.Stage, _ stage.Scenario) {
	t.Setenv("RBS_TOKEN", "")
	_, err := remotebrowser.NewClient(remotebrowser.WithURL(place.URL))
	if err == nil || !strings.Contains(err.Error(), "RBS_TOKEN") {
		t.Fatalf("%v does not name RBS_TOKEN", err)
	}
}
