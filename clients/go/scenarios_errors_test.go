package remotebrowser_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	remotebrowser "github.com/remote-browser/remote-browser-service/clients/go"
	"github.com/remote-browser/remote-browser-service/clients/go/internal/stage"
)

func playContractError(t *testing.T, place stage.Stage, scenario stage.Scenario) {
	wanted := scenario.Error
	err := provoke(t, place, wanted)
	if class := fmt.Sprintf("%T", err); class != "*remotebrowser."+wanted.Class {
		t.Fatalf("expected a %s, got a %s: %v", wanted.Class, class, err)
	}
	base := expect[*remotebrowser.APIError](t, err)
	if base.Status != wanted.Status || base.Name != wanted.Name {
		t.Errorf("expected %d %s, got %d %s", wanted.Status, wanted.Name, base.Status, base.Name)
	}
	if base.Message == "" || base.RequestID == "" {
		t.Errorf("message %q and request id %q are not both there", base.Message, base.RequestID)
	}
	if wanted.Name == "BadRequest" {
		refused := expect[*remotebrowser.BadRequestError](t, err)
		if len(refused.Errors) == 0 || refused.Errors[0].Path == "" || refused.Errors[0].Message == "" {
			t.Errorf("the list is %v", refused.Errors)
		}
	}
}

// provoke makes the service respond with an error, in the way that the table names.
func provoke(t *testing.T, place stage.Stage, wanted *stage.Error) error {
	t.Helper()
	ctx, once := context.Background(), remotebrowser.WithRetries(0)
	how := wanted.Provoke[place.Name]
	if key, ok := strings.CutPrefix(how, "token:"); ok {
		client := newClient(t, place, once, remotebrowser.WithToken(place.Tokens[key]))
		return ask(t, client, "open")
	}
	if word, ok := strings.CutPrefix(how, "prompt:"); ok {
		return askModel(newClient(t, place, once), word, wanted.Operation == "query")
	}
	switch how {
	case "answer":
		url := place.With("answer-" + wanted.Name).URL
		return ask(t, newClient(t, place, once, remotebrowser.WithURL(url)), wanted.Operation)
	case "wrong-token":
		return ask(t, newClient(t, place, once, remotebrowser.WithToken("rbs_wrong")), "list")
	case "wrong-path":
		return ask(t, newClient(t, place, once, remotebrowser.WithURL(place.URL+"/nowhere")), "list")
	case "arguments":
		return openError(t, newClient(t, place), &remotebrowser.OpenOptions{Args: []string{"--remote-debugging-port=1"}})
	case "large-label":
		label := strings.Repeat("x", 70_000)
		return openError(t, newClient(t, place), &remotebrowser.OpenOptions{Label: &label})
	case "unknown-address":
		address := "ws" + strings.TrimPrefix(place.URL, "http") + "/devtools/browser/" + strings.Repeat("A", 32)
		_, err := attach(t, newClient(t, place), address).StartDesktop(ctx)
		return err
	case "missing-kind":
		return openError(t, newClient(t, place, once), &remotebrowser.OpenOptions{Browser: remotebrowser.Ptr(remotebrowser.Chrome)})
	case "headless-desktop":
		_, err := open(t, newClient(t, place), newLabel(t)).StartDesktop(ctx)
		return err
	case "limit":
		client := newClient(t, place, once, remotebrowser.WithToken(place.Tokens["limited"]))
		open(t, client, newLabel(t))
		return ask(t, client, "open")
	case "hurried":
		client := newClient(t, place, once, remotebrowser.WithToken(place.Tokens["hurried"]))
		for range 10 {
			if err := ask(t, client, "list"); err != nil {
				return err
			}
		}
		return nil
	}
	t.Fatalf("unknown method of provoking an error: %q", how)
	return nil
}

// askModel sends a prompt to which the model's replacement responds in a certain way.
func askModel(client *remotebrowser.Client, word string, isTyped bool) error {
	ctx, html := context.Background(), "<p>x</p>"
	if isTyped {
		_, err := remotebrowser.QueryAs[product](ctx, client, html, word)
		return err
	}
	_, err := client.Query(ctx, html, word)
	return err
}

// ask calls an operation of the contract, and closes a browser that it opened.
func ask(t *testing.T, client *remotebrowser.Client, operation string) error {
	t.Helper()
	ctx := context.Background()
	switch operation {
	case "", "open":
		return openError(t, client, &remotebrowser.OpenOptions{Headless: remotebrowser.Ptr(true)})
	case "list":
		_, err := client.List(ctx)
		return err
	case "query":
		_, err := client.Query(ctx, document, prompt)
		return err
	case "startDesktop":
		_, err := attach(t, client, "ws://127.0.0.1/devtools/browser/"+strings.Repeat("A", 32)).StartDesktop(ctx)
		return err
	}
	t.Fatalf("unknown operation: %q", operation)
	return nil
}

func openError(t *testing.T, client *remotebrowser.Client, options *remotebrowser.OpenOptions) error {
	t.Helper()
	browser, err := client.Open(context.Background(), options)
	if err == nil {
		closeNow(t, browser)
	}
	return err
}

func playErrorNew(t *testing.T, place stage.Stage, _ stage.Scenario) {
	err := ask(t, newClient(t, place, remotebrowser.WithURL(place.With("new-error").URL)), "list")
	failure, ok := err.(*remotebrowser.APIError)
	if !ok {
		t.Fatalf("expected a plain APIError, got %T: %v", err, err)
	}
	if failure.Name != "SomethingNew" || failure.Status != 409 || failure.Message == "" || failure.RequestID == "" {
		t.Errorf("got %+v", *failure)
	}
}

func playErrorThin(t *testing.T, place stage.Stage, _ stage.Scenario) {
	ctx := context.Background()
	browser := attach(t, newClient(t, place, remotebrowser.WithURL(place.With("thin-error").URL)), fakeAddress)
	_, err := browser.StartDesktop(ctx)
	thin := expect[*remotebrowser.BrowserNotFoundError](t, err)
	if thin.RequestID != "thin-1" || thin.Message != "" || thin.Status != 404 {
		t.Errorf("got %+v", *thin.APIError)
	}
	closeNow(t, browser)
}

func playErrorNotOurs(t *testing.T, place stage.Stage, _ stage.Scenario) {
	url := place.With("gateway").URL
	err := ask(t, newClient(t, place, remotebrowser.WithURL(url), remotebrowser.WithRetries(0)), "list")
	failure, ok := err.(*remotebrowser.APIError)
	if !ok {
		t.Fatalf("expected a plain APIError, got %T: %v", err, err)
	}
	if failure.Name != "" || failure.Status != 502 || !strings.Contains(failure.Message, "<") {
		t.Errorf("got %+v", *failure)
	}
}

func playAnswerNotJSON(t *testing.T, place stage.Stage, _ stage.Scenario) {
	err := ask(t, newClient(t, place, remotebrowser.WithURL(place.With("not-json").URL)), "list")
	expect[*remotebrowser.InvalidAnswerError](t, err)
}

func playAnswerNewMembers(t *testing.T, place stage.Stage, _ stage.Scenario) {
	client, label := newClient(t, place, remotebrowser.WithURL(place.With("new-members").URL)), newLabel(t)
	if place.Name != "mock" {
		open(t, client, label)
	}
	session := find(t, client, label)
	if place.Name != "mock" && session == nil {
		t.Fatal("the browser is not listed")
	}
	for _, err := range client.History(context.Background(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		break
	}
	if _, err := client.Account(context.Background()); err != nil {
		t.Fatal(err)
	}
}

func playAnswerFirstVersion(t *testing.T, place stage.Stage, _ stage.Scenario) {
	ctx := context.Background()
	client := newClient(t, place, remotebrowser.WithURL(place.With("first-version").URL))
	browser := open(t, client, newLabel(t))
	if browser.ID() != "" {
		t.Error("the browser has an id")
	}
	sessions, err := client.List(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, session := range sessions {
		if session.ID != "" || session.Tags != nil || session.Headless != nil || session.Clients != nil {
			t.Error("the list has members of later versions")
		}
	}
	for name, call := range map[string]func() error{
		"info":       func() error { _, err := browser.Info(ctx); return err },
		"wait":       func() error { _, err := browser.WaitClosed(ctx); return err },
		"screenshot": func() error { _, err := browser.Screenshot(ctx); return err },
		"update":     func() error { _, err := browser.Update(ctx, remotebrowser.UpdateOptions{}); return err },
		"close all":  func() error { _, err := client.CloseAllByTag(ctx, "a"); return err },
		"account":    func() error { _, err := client.Account(ctx); return err },
		"history": func() error {
			for _, err := range client.History(ctx, nil) {
				return err
			}
			return nil
		},
	} {
		t.Log(name)
		expect[*remotebrowser.NotFoundError](t, call())
	}
}
