package remotebrowser_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	remotebrowser "github.com/remote-browser/remote-browser-service/clients/go"
	"github.com/remote-browser/remote-browser-service/clients/go/internal/stage"
)

func playScreen(t *testing.T, place stage.Stage, _ stage.Scenario) {
	client, label := newClient(t, place), newLabel(t)
	screen := func(width int, scale float64) func(*remotebrowser.OpenOptions) {
		return func(options *remotebrowser.OpenOptions) {
			options.Screen = &remotebrowser.Screen{Width: width, Height: 600, Scale: &scale}
		}
	}
	with := func(change func(*remotebrowser.OpenOptions)) *remotebrowser.OpenOptions {
		options := &remotebrowser.OpenOptions{
			Headless:     remotebrowser.Ptr(true),
			Label:        &label,
			WaitForPlace: remotebrowser.Ptr(5 * time.Second),
			Language:     remotebrowser.Ptr("de-DE"),
			TimeZone:     remotebrowser.Ptr("Europe/Berlin"),
		}
		screen(800, 1.5)(options)
		change(options)
		return options
	}
	closeNow(t, openWith(t, client, with(func(*remotebrowser.OpenOptions) {})))
	for _, wrong := range []struct {
		path   string
		change func(*remotebrowser.OpenOptions)
	}{
		{"/WaitForPlace", func(options *remotebrowser.OpenOptions) { options.WaitForPlace = remotebrowser.Ptr(46 * time.Second) }},
		{"/Screen/Width", screen(199, 1)},
		{"/Screen/Scale", screen(800, 4)},
		{"/Language", func(options *remotebrowser.OpenOptions) { options.Language = remotebrowser.Ptr("") }},
		{"/TimeZone", func(options *remotebrowser.OpenOptions) { options.TimeZone = remotebrowser.Ptr("") }},
	} {
		refused := expect[*remotebrowser.BadRequestError](t, openError(t, client, with(wrong.change)))
		if place.Name != "mock" && (len(refused.Errors) != 1 || refused.Errors[0].Path != wrong.path) {
			t.Errorf("for a wrong %s, the list is %v", wrong.path, refused.Errors)
		}
	}
}

func playWaitForPlace(t *testing.T, place stage.Stage, _ stage.Scenario) {
	client := newClient(t, place, remotebrowser.WithRetries(0), remotebrowser.WithToken(place.Tokens["limited"]))
	with := func(keepOpen, waitForPlace time.Duration) *remotebrowser.OpenOptions {
		return &remotebrowser.OpenOptions{Headless: remotebrowser.Ptr(true), KeepOpen: &keepOpen, WaitForPlace: &waitForPlace}
	}
	first := openWith(t, client, with(2*time.Second, 0))
	expect[*remotebrowser.BrowserLimitError](t, openError(t, client, with(time.Minute, 100*time.Millisecond)))
	second := openWith(t, client, with(time.Minute, 30*time.Second))
	sessions, err := client.List(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if len(sessions) != 1 || sessions[0].Address != second.Address() || second.Address() == first.Address() {
		t.Errorf("the list has %d browsers", len(sessions))
	}
}

func playScreenshot(t *testing.T, place stage.Stage, _ stage.Scenario) {
	ctx, client := context.Background(), newClient(t, place)
	for _, headless := range []bool{true, false} {
		label := newLabel(t)
		browser := openWith(t, client, &remotebrowser.OpenOptions{Headless: &headless, Label: &label})
		shot, err := browser.Screenshot(ctx)
		expectPicture(t, shot, err)
		image, err := browser.ScreenshotImage(ctx)
		expectPicture(t, &remotebrowser.Screenshot{Type: http.DetectContentType(image), Image: image}, err)
		if place.Name == "mock" {
			continue
		}
		session := find(t, client, label)
		if session == nil {
			t.Fatal("the browser is not listed")
		}
		shot, err = session.Screenshot(ctx)
		expectPicture(t, shot, err)
		closeNow(t, browser)
		_, err = browser.Screenshot(ctx)
		expect[*remotebrowser.BrowserNotFoundError](t, err)
	}
}

func expectPicture(t *testing.T, shot *remotebrowser.Screenshot, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	signature, ok := map[string]string{"image/png": "\x89PNG", "image/jpeg": "\xff\xd8\xff"}[shot.Type]
	if !ok || !strings.HasPrefix(string(shot.Image), signature) {
		t.Errorf("it is not a picture of its type: %v", shot)
	}
}
