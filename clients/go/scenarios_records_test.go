package remotebrowser_test

import (
	"context"
	"regexp"
	"slices"
	"testing"
	"time"

	remotebrowser "github.com/remote-browser/remote-browser-service/clients/go"
	"github.com/remote-browser/remote-browser-service/clients/go/internal/stage"
)

var idPattern = regexp.MustCompile(`^br_[a-z0-9]{26}$`)

func playTags(t *testing.T, place stage.Stage, _ stage.Scenario) {
	client, label, tags := newClient(t, place), newLabel(t), []string{"nightly", "übung"}
	browser := openWith(t, client, &remotebrowser.OpenOptions{
		Headless: remotebrowser.Ptr(true), Label: &label, Tags: tags, Lifetime: remotebrowser.Ptr(time.Hour),
	})
	if !idPattern.MatchString(browser.ID()) {
		t.Errorf("the id is %q", browser.ID())
	}
	if place.Name == "mock" {
		return
	}
	session := find(t, client, label)
	if session == nil || session.ID != browser.ID() || !slices.Equal(session.Tags, tags) {
		t.Fatalf("the list has %v", session)
	}
	if session.Headless == nil || !*session.Headless || session.Clients == nil || *session.Clients != 0 {
		t.Error("the list has the wrong facts")
	}
}

func playInfo(t *testing.T, place stage.Stage, _ stage.Scenario) {
	client, label := newClient(t, place), newLabel(t)
	browser := open(t, client, label)
	opened := info(t, browser)
	if opened.State != "open" || opened.Reason != nil || opened.EndedOn != nil || opened.Units < 1 {
		t.Errorf("the open browser is %v", opened)
	}
	closeNow(t, browser)
	if place.Name == "mock" {
		return
	}
	byID, err := client.BrowserByID(opened.ID)
	if err != nil {
		t.Fatal(err)
	}
	ended := info(t, byID)
	if ended.State != "closed" || ended.Reason == nil || *ended.Reason != "requested" || ended.EndedOn == nil || ended.Address != nil {
		t.Errorf("the ended browser is %v", ended)
	}
	if ended.ID != browser.ID() || ended.Label == nil || *ended.Label != label || ended.Units != opened.Units {
		t.Errorf("the ended browser is another one: %v", ended)
	}
}

func info(t *testing.T, browser *remotebrowser.Browser) *remotebrowser.BrowserRecord {
	t.Helper()
	record, err := browser.Info(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return record
}

func playClosed(t *testing.T, place stage.Stage, _ stage.Scenario) {
	client, label := newClient(t, place), newLabel(t)
	browser := openWith(t, client, &remotebrowser.OpenOptions{
		Headless: remotebrowser.Ptr(true), KeepOpen: remotebrowser.Ptr(time.Second), Label: &label,
	})
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	reason, err := browser.WaitClosed(ctx)
	expectValue(t, reason, err, "inactive")
}

func playUpdate(t *testing.T, place stage.Stage, _ stage.Scenario) {
	client, label, tags := newClient(t, place), newLabel(t), []string{"new", "newer"}
	browser := open(t, client, label)
	record, err := browser.Update(context.Background(), remotebrowser.UpdateOptions{
		KeepOpen: remotebrowser.Ptr(10 * time.Minute), Lifetime: remotebrowser.Ptr(2 * time.Hour), Tags: tags,
	})
	if err != nil {
		t.Fatal(err)
	}
	if place.Name == "mock" {
		return
	}
	session := find(t, client, label)
	if session == nil || !slices.Equal(session.Tags, tags) || !slices.Equal(record.Tags, tags) {
		t.Fatalf("the list has %v", session)
	}
	if *session.KeepOpen != 10*time.Minute || *record.KeepOpen != 10*time.Minute {
		t.Errorf("it stays open for %v", *session.KeepOpen)
	}
}

func playHistory(t *testing.T, place stage.Stage, _ stage.Scenario) {
	client, label := newClient(t, place), newLabel(t)
	first := open(t, client, label)
	closeNow(t, first)
	second := open(t, client, label)
	var states, ids []string
	options := &remotebrowser.HistoryOptions{Since: remotebrowser.Ptr(time.Now().Add(-time.Hour)), Label: &label}
	for record, err := range client.History(context.Background(), options) {
		if err != nil {
			t.Fatal(err)
		}
		states, ids = append(states, record.State), append(ids, record.ID)
	}
	if !slices.Equal(states, []string{"open", "closed"}) {
		t.Errorf("the states are %v", states)
	}
	if place.Name != "mock" && !slices.Equal(ids, []string{second.ID(), first.ID()}) {
		t.Errorf("the ids are %v", ids)
	}
}

func playCloseAll(t *testing.T, place stage.Stage, _ stage.Scenario) {
	ctx, client, label := context.Background(), newClient(t, place), newLabel(t)
	openWith(t, client, &remotebrowser.OpenOptions{Headless: remotebrowser.Ptr(true), Label: &label, Tags: []string{label}})
	open(t, client, label)
	byTag, err := client.CloseAllByTag(ctx, label)
	if err != nil {
		t.Fatal(err)
	}
	byLabel, err := client.CloseAllByLabel(ctx, label)
	if err != nil {
		t.Fatal(err)
	}
	if place.Name == "mock" {
		return
	}
	if byTag != 1 || byLabel != 1 || find(t, client, label) != nil {
		t.Errorf("closed %d by tag and %d by label", byTag, byLabel)
	}
}

func playAccount(t *testing.T, place stage.Stage, _ stage.Scenario) {
	account, err := newClient(t, place).Account(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if len(account.Period) != len("2026-03") {
		t.Errorf("the period is %s", account.Period)
	}
	if place.Name != "mock" && (account.Plan == nil || *account.Plan != "self-hosted") {
		t.Error("the plan is another one")
	}
}

func playSessionMethods(t *testing.T, place stage.Stage, _ stage.Scenario) {
	ctx, client, label := context.Background(), newClient(t, place), newLabel(t)
	open(t, client, label)
	session := find(t, client, label)
	if session == nil {
		t.Fatal("the browser is not listed")
	}
	if record, err := session.Info(ctx); err != nil || record.ID != session.ID {
		t.Fatalf("got %v, %v", record, err)
	}
	if err := session.Close(ctx); err != nil {
		t.Fatal(err)
	}
	reason, err := session.WaitClosed(ctx)
	expectValue(t, reason, err, "requested")
	if find(t, client, label) != nil {
		t.Fatal("the browser is still listed")
	}
}
