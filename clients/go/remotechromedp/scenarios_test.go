package remotechromedp_test

import (
	"context"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	remotebrowser "github.com/remote-browser/remote-browser-service/clients/go"
	"github.com/remote-browser/remote-browser-service/clients/go/internal/stage"
	"github.com/remote-browser/remote-browser-service/clients/go/remotechromedp"
)

// The scenarios that need chromedp. The client's own tests run the others.
var scenarios = map[string]func(*testing.T, stage.Stage, stage.Scenario){
	"drive":  playDrive,
	"readme": playReadme,
}

func TestScenarios(t *testing.T) {
	set := stage.Read(t)
	known := map[string]bool{}
	for _, scenario := range set.Scenarios {
		known[scenario.ID] = true
		if play := scenarios[scenario.ID]; play != nil {
			set.Run(t, scenario, play)
		}
	}
	for id := range scenarios {
		if !known[id] {
			t.Errorf("the table has no scenario %q", id)
		}
	}
}

func playDrive(t *testing.T, place stage.Stage, _ stage.Scenario) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	client, err := remotebrowser.NewClient(remotebrowser.WithURL(place.URL), remotebrowser.WithToken(place.Token))
	if err != nil {
		t.Fatal(err)
	}
	browser, err := client.Open(ctx, &remotebrowser.OpenOptions{Headless: remotebrowser.Ptr(true)})
	if err != nil {
		t.Fatal(err)
	}
	defer browser.Close(ctx)
	tab, leave, err := remotechromedp.NewContext(ctx, browser)
	if err != nil {
		t.Fatal(err)
	}
	defer leave()
	if err := chromedp.Do(tab, chromedp.Navigate("data:text/html,<title>Driven from Go</title>")); err != nil {
		t.Fatal(err)
	}
	title, err := chromedp.Run(tab, chromedp.Title())
	if err != nil {
		t.Fatal(err)
	}
	if title != "Driven from Go" {
		t.Fatalf("the title is %q", title)
	}
	leave()
	// The helper disconnects, and doesn't close the browser.
	sessions, err := client.List(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, session := range sessions {
		if session.Address == browser.Address() {
			return
		}
	}
	t.Fatal("the browser has closed after chromedp disconnected")
}
