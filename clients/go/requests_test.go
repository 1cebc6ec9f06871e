package remotebrowser_test

import (
	"context"
	"math"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	remotebrowser "github.com/remote-browser/remote-browser-service/clients/go"
)

func TestOpenSendsOnlyTheGivenOptions(t *testing.T) {
	text, seconds := remotebrowser.Ptr("me"), remotebrowser.Ptr(1500*time.Millisecond)
	for name, sent := range map[string]struct {
		options *remotebrowser.OpenOptions
		body    map[string]any
	}{
		"nil":     {nil, map[string]any{}},
		"nothing": {&remotebrowser.OpenOptions{}, map[string]any{}},
		"zeroes": {
			&remotebrowser.OpenOptions{Headless: remotebrowser.Ptr(false), Browser: remotebrowser.Ptr(remotebrowser.Chrome), KeepOpen: remotebrowser.Ptr(time.Duration(0))},
			map[string]any{"Headless": false, "Browser": 0.0, "KeepOpen": 0.0},
		},
		"all": {
			&remotebrowser.OpenOptions{
				Args: []string{"--a"}, IgnoredDefaultArgs: []string{"--b"}, Headless: remotebrowser.Ptr(true),
				Stealth: remotebrowser.Ptr(true), Browser: remotebrowser.Ptr(remotebrowser.ChromeHeadlessShell),
				KeepOpen: seconds, Label: text, Tags: []string{"nightly"}, Lifetime: seconds,
				Proxy:        &remotebrowser.Proxy{Host: "h", Port: "1", Username: text, Password: text},
				WaitForPlace: seconds, Language: text, TimeZone: text,
				Screen: &remotebrowser.Screen{Width: 412, Height: math.MaxInt, Scale: remotebrowser.Ptr(2.625)},
			},
			map[string]any{
				"Args": []any{"--a"}, "IgnoredDefaultArgs": []any{"--b"}, "Headless": true, "Stealth": true,
				"Browser": 3.0, "KeepOpen": 1.5, "Label": "me",
				"Tags": []any{"nightly"}, "Lifetime": 1.5,
				"Proxy":        map[string]any{"Host": "h", "Port": "1", "Username": "me", "Password": "me"},
				"WaitForPlace": 1.5, "Language": "me", "TimeZone": "me",
				// The core has smaller numbers. The service also refuses this one.
				"Screen": map[string]any{"Width": 412.0, "Height": float64(math.MaxInt32), "Scale": 2.625},
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			service := newFakeService(t, opened)
			browser, err := service.client(t).Open(context.Background(), sent.options)
			if err != nil {
				t.Fatal(err)
			}
			if browser.Address() != fakeAddress {
				t.Error("the address is not the one in the response")
			}
			if came := service.all()[0]; !reflect.DeepEqual(came.body, sent.body) {
				t.Errorf("sent %s", came.raw)
			}
		})
	}
}

func TestARequestHasTokenAndUserAgent(t *testing.T) {
	service := newFakeService(t, listed)
	client := service.client(t, remotebrowser.WithURL(service.URL+"/prefix/"), remotebrowser.WithHeader("x-extra", "1"))
	if err := ask(t, client, "list"); err != nil {
		t.Fatal(err)
	}
	came := service.all()[0]
	for name, value := range map[string]string{"Authorization": "Bearer " + fakeToken, "X-Extra": "1"} {
		if came.header.Get(name) != value {
			t.Errorf("%s is %q", name, came.header.Get(name))
		}
	}
	if !strings.HasPrefix(came.header.Get("User-Agent"), "remote-browser-go/") || came.path != "/prefix/api/v1/Browser/Get" {
		t.Errorf("%s with User-Agent %s", came.path, came.header.Get("User-Agent"))
	}
}

func TestCustomHeadersAreSentOnceAndMayReplaceTheUserAgent(t *testing.T) {
	service := newFakeService(t, listed)
	// net/http sends only the first User-Agent, but other transports may send all of them.
	counting := roundTripper(func(request *http.Request) (*http.Response, error) {
		if names := request.Header.Values("User-Agent"); len(names) != 1 {
			t.Errorf("the User-Agents are %q", names)
		}
		return http.DefaultTransport.RoundTrip(request)
	})
	client := service.client(t, remotebrowser.WithHTTPClient(&http.Client{Transport: counting}),
		remotebrowser.WithHeader("USER-AGENT", "mine/1"),
		remotebrowser.WithHeader("x-extra", "1"), remotebrowser.WithHeader("X-EXTRA", "2"))
	for range 2 {
		if err := ask(t, client, "list"); err != nil {
			t.Fatal(err)
		}
	}
	for _, came := range service.all() {
		for name, value := range map[string]string{"User-Agent": "mine/1", "X-Extra": "2"} {
			if given := came.header.Values(name); !reflect.DeepEqual(given, []string{value}) {
				t.Errorf("%s is %q", name, given)
			}
		}
	}
}

func TestADocumentIsSentWithoutHTMLEscapes(t *testing.T) {
	html := `<a href="?a=1&b=2">\u003c \\u003e "</a>` + "\u2028"
	service := newFakeService(t, answered)
	if _, err := service.client(t).Query(context.Background(), html, "?"); err != nil {
		t.Fatal(err)
	}
	came := service.all()[0]
	if came.body["html"] != html {
		t.Errorf("received %v", came.body["html"])
	}
	if strings.Contains(came.raw, `\u0026`) || !strings.Contains(came.raw, "<a href=") {
		t.Errorf("sent %s", came.raw)
	}
}

func TestAListIsRead(t *testing.T) {
	service := newFakeService(t, answerJSON(200, `{"new":1,"sessions":[
		{"startedOn":"2026-03-14T09:26:53.589Z","label":null,"address":"`+fakeAddress+`","vncpass":null,"new":{}},
		{"startedOn":"2026-03-14T09:26:54Z","label":"shop","address":"`+fakeAddress+`","vncpass":"12345678"}]}`))
	sessions, err := service.client(t).List(context.Background())
	for index := range sessions {
		sessions[index] = sessions[index].Facts()
	}
	expectValue(t, sessions, err, []remotebrowser.Session{
		{StartedOn: time.Date(2026, 3, 14, 9, 26, 53, 589_000_000, time.UTC), Address: fakeAddress},
		{
			StartedOn: time.Date(2026, 3, 14, 9, 26, 54, 0, time.UTC), Address: fakeAddress,
			Label: remotebrowser.Ptr("shop"), VNCPass: remotebrowser.Ptr("12345678"),
		},
	})
}

func TestAClientIsSafeForConcurrentUse(t *testing.T) {
	client := newFakeService(t, opened).client(t)
	var all sync.WaitGroup
	for range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			browser, err := client.Open(context.Background(), nil)
			if err != nil {
				t.Error(err)
				return
			}
			if err := browser.Close(context.Background()); err != nil {
				t.Error(err)
			}
		}()
	}
	all.Wait()
}
