package remotebrowser_test

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	remotebrowser "github.com/remote-browser/remote-browser-service/clients/go"
	"github.com/remote-browser/remote-browser-service/clients/go/internal/stage"
)

// The implementation of each scenario. One function covers all scenarios for the contract's errors.
var scenarios = map[string]func(*testing.T, stage.Stage, stage.Scenario){
	"lifecycle":            playLifecycle,
	"close-ended":          playCloseEnded,
	"closes-itself":        playClosesItself,
	"options":              playOptions,
	"screen":               playScreen,
	"wait-for-place":       playWaitForPlace,
	"screenshot":           playScreenshot,
	"keep-open":            playKeepOpen,
	"attach":               playAttach,
	"desktop":              playDesktop,
	"tags":                 playTags,
	"info":                 playInfo,
	"closed":               playClosed,
	"update":               playUpdate,
	"history":              playHistory,
	"close-all":            playCloseAll,
	"account":              playAccount,
	"session-methods":      playSessionMethods,
	"query-text":           playQueryText,
	"query-json":           playQueryJSON,
	"query-typed":          playQueryTyped,
	"query-number":         playQueryNumber,
	"query-misfit":         playQueryMisfit,
	"query-no-value":       playQueryNoValue,
	"error.new":            playErrorNew,
	"error.thin":           playErrorThin,
	"error.not-ours":       playErrorNotOurs,
	"answer.not-json":      playAnswerNotJSON,
	"answer.new-members":   playAnswerNewMembers,
	"answer.first-version": playAnswerFirstVersion,
	"retry.when-told":      playRetryWhenTold,
	"retry.rate":           playRetryRate,
	"retry.bounded":        playRetryBounded,
	"retry.not-installed":  playRetryNotInstalled,
	"retry.open-again":     playRetryOpenAgain,
	"retry.open-key":       playRetryOpenKey,
	"retry.open-once":      playRetryOpenOnce,
	"retry.query-once":     playRetryQueryOnce,
	"retry.list-again":     playRetryListAgain,
	"retry.close-again":    playRetryCloseAgain,
	"retry.update-again":   playRetryUpdateAgain,
	"connection.refused":   playConnectionRefused,
	"timeout.answer":       playTimeoutAnswer,
	"timeout.body":         playTimeoutBody,
	"timeout.total":        playTimeoutTotal,
	"settings.environment": playSettingsEnvironment,
	"settings.no-token":    playSettingsNoToken,
	"secrets":              playSecrets,
}

// Scenarios that need more than this module. remotechromedp's tests run them.
var elsewhere = []string{"drive", "readme"}

func TestScenarios(t *testing.T) {
	set := stage.Read(t)
	known := map[string]bool{}
	for _, scenario := range set.Scenarios {
		known[scenario.ID] = true
		if slices.Contains(elsewhere, scenario.ID) {
			continue
		}
		play := scenarios[scenario.ID]
		if scenario.Error != nil {
			play = playContractError
		}
		if play == nil {
			play = func(t *testing.T, _ stage.Stage, _ stage.Scenario) {
				t.Fatal("the Go client does not implement this scenario")
			}
		}
		set.Run(t, scenario, play)
	}
	for id := range scenarios {
		if !known[id] {
			t.Errorf("the table has no scenario %q", id)
		}
	}
}

// newClient creates a client for a stage. Options override the defaults.
func newClient(t *testing.T, place stage.Stage, options ...remotebrowser.Option) *remotebrowser.Client {
	t.Helper()
	all := append([]remotebrowser.Option{
		remotebrowser.WithURL(place.URL),
		remotebrowser.WithToken(place.Token),
	}, options...)
	client, err := remotebrowser.NewClient(all...)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// open opens a headless browser, and closes it when the test ends.
func open(t *testing.T, client *remotebrowser.Client, label string) *remotebrowser.Browser {
	t.Helper()
	return openWith(t, client, &remotebrowser.OpenOptions{Headless: remotebrowser.Ptr(true), Label: &label})
}

func openWith(t *testing.T, client *remotebrowser.Client, options *remotebrowser.OpenOptions) *remotebrowser.Browser {
	t.Helper()
	browser, err := client.Open(context.Background(), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeNow(t, browser) })
	return browser
}

// attach returns a handle for an open browser.
func attach(t *testing.T, client *remotebrowser.Client, address string) *remotebrowser.Browser {
	t.Helper()
	browser, err := client.Browser(address)
	if err != nil {
		t.Fatal(err)
	}
	return browser
}

func closeNow(t *testing.T, browser *remotebrowser.Browser) {
	t.Helper()
	if err := browser.Close(context.Background()); err != nil {
		t.Error(err)
	}
}

// find returns the browser with a label from the list, or nil.
func find(t *testing.T, client *remotebrowser.Client, label string) *remotebrowser.Session {
	t.Helper()
	sessions, err := client.List(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, session := range sessions {
		if session.Label != nil && *session.Label == label {
			return &session
		}
	}
	return nil
}

func expectUnlisted(t *testing.T, client *remotebrowser.Client, label string, within time.Duration) {
	t.Helper()
	for deadline := time.Now().Add(within); find(t, client, label) != nil; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the browser is still listed after %v", within)
		}
	}
}

// expect fails unless err is of type E.
func expect[E error](t *testing.T, err error) E {
	t.Helper()
	var wanted E
	if !errors.As(err, &wanted) {
		t.Fatalf("expected %T, got %T: %v", wanted, err, err)
	}
	return wanted
}

func newLabel(t *testing.T) string {
	t.Helper()
	random := make([]byte, 8)
	_, _ = rand.Read(random)
	name, _, _ := strings.Cut(t.Name()[strings.LastIndex(t.Name(), "/")+1:], "_")
	return "go " + name + " " + hex.EncodeToString(random)
}
