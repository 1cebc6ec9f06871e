package remotebrowser_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	remotebrowser "github.com/remote-browser/remote-browser-service/clients/go"
)

func byID(t *testing.T, client *remotebrowser.Client) *remotebrowser.Browser {
	t.Helper()
	browser, err := client.BrowserByID(fakeBrowserID)
	if err != nil {
		t.Fatal(err)
	}
	return browser
}

func expectBodies(t *testing.T, service *fakeService, wanted ...map[string]any) {
	t.Helper()
	for index, came := range service.all() {
		if !reflect.DeepEqual(came.body, wanted[index]) {
			t.Errorf("request %d is %s", index, came.raw)
		}
	}
	service.expectRequests(t, len(wanted))
}

func TestARecordIsRead(t *testing.T) {
	service := newFakeService(t, recorded)
	record, err := byID(t, service.client(t)).Info(context.Background())
	expectValue(t, record, err, &remotebrowser.BrowserRecord{
		ID: fakeBrowserID, State: "open", StartedOn: time.Date(2026, 3, 14, 9, 26, 53, 589_000_000, time.UTC),
		Units: 4, BytesSent: remotebrowser.Ptr(int64(48211)), Address: remotebrowser.Ptr(fakeAddress),
		VNCPass: remotebrowser.Ptr("87654321"), Label: remotebrowser.Ptr("shop"), Tags: []string{"nightly"},
		Browser: int(remotebrowser.Chromium), KeepOpen: remotebrowser.Ptr(2500 * time.Millisecond), Desktop: true,
	})
	expectBodies(t, service, map[string]any{"id": fakeBrowserID})
	expectNoSecrets(t, []string{fakeID, "87654321"}, record, *record)
}

func TestARecordWithoutAMemberIsInvalid(t *testing.T) {
	_, err := byID(t, newFakeService(t, answerJSON(200, `{"id":"x"}`)).client(t)).Info(context.Background())
	expect[*remotebrowser.InvalidAnswerError](t, err)
}

func TestAnOpenedBrowserHasAnID(t *testing.T) {
	service := newFakeService(t, answerJSON(200, `{"status":200,"address":"`+fakeAddress+`","id":"`+fakeBrowserID+`"}`), recorded, done)
	browser, err := service.client(t).Open(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if browser.ID() != fakeBrowserID {
		t.Errorf("its id is %q", browser.ID())
	}
	if text := fmt.Sprint(browser); !strings.HasPrefix(text, "remotebrowser.Browser("+fakeBrowserID+", of http://") {
		t.Errorf("it is printed as %s", text)
	}
	info(t, browser)
	closeNow(t, browser)
	expectBodies(t, service, map[string]any{}, map[string]any{"id": fakeBrowserID}, map[string]any{"address": fakeAddress})
}

func TestAScreenshotHasThePicturesBytesAndType(t *testing.T) {
	service := newFakeService(t, answerJSON(200, `{"type":"image/png","image":"iVBORw0KGgr/AA==","new":1}`))
	shot, err := byID(t, service.client(t)).Screenshot(context.Background())
	expectValue(t, shot, err, &remotebrowser.Screenshot{Type: "image/png", Image: []byte("\x89PNG\r\n\x1a\n\xff\x00")})
	expectBodies(t, service, map[string]any{"id": fakeBrowserID})
	if text := fmt.Sprintf("%v", *shot); text != "remotebrowser.Screenshot(image/png, 10 bytes)" {
		t.Errorf("it is printed as %s", text)
	}
}

func TestAScreenshotsImageIsTheBody(t *testing.T) {
	picture := answerJSON(200, "\x89PNG\xff\x00", "Content-Type", "image/png")
	service := newFakeService(t, picture, recorded, picture, answerJSON(200, `{}`))
	image, err := byID(t, service.client(t)).ScreenshotImage(context.Background())
	expectValue(t, image, err, []byte("\x89PNG\xff\x00"))
	browser, err := service.client(t).Browser(fakeAddress)
	if err != nil {
		t.Fatal(err)
	}
	image, err = browser.ScreenshotImage(context.Background())
	expectValue(t, image, err, []byte("\x89PNG\xff\x00"))
	for _, at := range []int{0, 2} {
		if query := service.all()[at].query; query != "id="+fakeBrowserID {
			t.Errorf("the query is %s", query)
		}
	}
	_, err = byID(t, service.client(t)).ScreenshotImage(context.Background())
	expect[*remotebrowser.InvalidAnswerError](t, err)
}

func TestAScreenshotThatIsNotBase64IsInvalid(t *testing.T) {
	for _, image := range []string{`"cat!"`, `""`, `null`, `7`} {
		service := newFakeService(t, answerJSON(200, `{"type":"image/png","image":`+image+`}`))
		_, err := byID(t, service.client(t)).Screenshot(context.Background())
		expect[*remotebrowser.InvalidAnswerError](t, err)
		if strings.Contains(err.Error(), "cat!") {
			t.Error(err)
		}
	}
}

func TestAnUpdateSendsOnlyNewValues(t *testing.T) {
	service := newFakeService(t, recorded)
	changes := remotebrowser.UpdateOptions{KeepOpen: remotebrowser.Ptr(time.Minute), Tags: []string{}}
	if _, err := byID(t, service.client(t)).Update(context.Background(), changes); err != nil {
		t.Fatal(err)
	}
	expectBodies(t, service, map[string]any{"id": fakeBrowserID, "keepOpen": 60.0, "tags": []any{}})
}

func TestWaitingContinuesUntilTheBrowserHasEnded(t *testing.T) {
	service := newFakeService(t, answerJSON(200, `{"state":"open","reason":null}`), answerJSON(200, `{"state":"closed","reason":"crashed"}`))
	startedAt := time.Now()
	reason, err := byID(t, service.client(t, remotebrowser.WithTimeout(4*time.Second))).WaitClosed(context.Background())
	expectValue(t, reason, err, "crashed")
	if time.Since(startedAt) < 900*time.Millisecond {
		t.Error("it asked again at once")
	}
	// Half of the timeout for an attempt.
	wait := map[string]any{"id": fakeBrowserID, "seconds": 2.0}
	expectBodies(t, service, wait, wait)
}

func TestWaitingEndsWithItsContext(t *testing.T) {
	browser := byID(t, newFakeService(t, answerJSON(200, `{"state":"open","reason":null}`)).client(t))
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	_, err := browser.WaitClosed(ctx)
	expect[*remotebrowser.TimeoutError](t, err)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

func TestTheHistoryIsRequestedPageByPageWhileIterating(t *testing.T) {
	part := func(records, next string) string {
		return `{"browsers":[` + records + `],"next":` + next + `,"keptSince":null}`
	}
	service := newFakeService(t, answerJSON(200, part(openRecord, `"c1"`)), answerJSON(200, part("", `"c2"`)), answerJSON(200, part(openRecord, "null")))
	client, count := service.client(t), 0
	options := &remotebrowser.HistoryOptions{Since: remotebrowser.Ptr(time.Date(2026, 3, 9, 0, 0, 0, 0, time.UTC)), Tag: remotebrowser.Ptr("a")}
	for _, err := range client.History(context.Background(), options) {
		if err != nil {
			t.Fatal(err)
		}
		count++
		service.expectRequests(t, []int{1, 3}[count-1])
	}
	request := map[string]any{"since": "2026-03-09T00:00:00Z", "tag": "a"}
	expectBodies(t, service, request,
		map[string]any{"since": "2026-03-09T00:00:00Z", "tag": "a", "cursor": "c1"},
		map[string]any{"since": "2026-03-09T00:00:00Z", "tag": "a", "cursor": "c2"})
	for range client.History(context.Background(), nil) {
		break
	}
	service.expectRequests(t, 4)
}

func TestCloseAllSendsTheSelection(t *testing.T) {
	ctx, service := context.Background(), newFakeService(t, answerJSON(200, `{"closed":3}`))
	client := service.client(t)
	count, err := client.CloseAll(ctx)
	expectValue(t, count, err, 3)
	count, err = client.CloseAllByLabel(ctx, "a")
	expectValue(t, count, err, 3)
	count, err = client.CloseAllByTag(ctx, "b")
	expectValue(t, count, err, 3)
	expectBodies(t, service, map[string]any{"all": true}, map[string]any{"label": "a"}, map[string]any{"tag": "b"})
}

func TestABlankIDIsRefused(t *testing.T) {
	if _, err := newFakeService(t, done).client(t).BrowserByID(" "); err == nil {
		t.Error("it was not")
	}
}
