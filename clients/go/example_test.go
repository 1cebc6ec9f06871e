package remotebrowser_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	remotebrowser "github.com/remote-browser/remote-browser-service/clients/go"
)

func Example() {
	ctx := context.Background()
	client, err := remotebrowser.NewClient() // uses RBS_URL and RBS_TOKEN
	if err != nil {
		log.Fatal(err)
	}
	browser, err := client.Open(ctx, &remotebrowser.OpenOptions{
		Headless: remotebrowser.Ptr(true),
		KeepOpen: remotebrowser.Ptr(5 * time.Minute),
		Label:    remotebrowser.Ptr("price check"),
	})
	if err != nil {
		log.Fatal(err)
	}
	defer browser.Close(ctx)
	connect(browser.Address())
}

func ExampleNewClient() {
	client, err := remotebrowser.NewClient(
		remotebrowser.WithURL("https://browsers.example.com"),
		remotebrowser.WithToken("rbs_example"),
		remotebrowser.WithTimeout(30*time.Second),
		remotebrowser.WithRetries(5),
	)
	fmt.Println(client, err)
	// Output: remotebrowser.Client(https://browsers.example.com) <nil>
}

func ExampleClient_Open_errors() {
	client, err := remotebrowser.NewClient()
	if err != nil {
		log.Fatal(err)
	}
	_, err = client.Open(context.Background(), nil)
	var limit *remotebrowser.BrowserLimitError
	var refused *remotebrowser.APIError
	switch {
	case errors.As(err, &limit):
		log.Print("close one of client.List first")
	case errors.As(err, &refused):
		log.Printf("%s, request %s: %s", refused.Name, refused.RequestID, refused.Message)
	}
}

func ExampleBrowser_StartDesktop() {
	ctx := context.Background()
	client, err := remotebrowser.NewClient()
	if err != nil {
		log.Fatal(err)
	}
	browser, err := client.Open(ctx, nil) // a headless browser has no desktop
	if err != nil {
		log.Fatal(err)
	}
	defer browser.Close(ctx)
	desktop, err := browser.StartDesktop(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("Watch it at", desktop.URL)
}

func ExampleQueryAs() {
	type Product struct {
		Name  string  `json:"name"`
		Price float64 `json:"price" jsonschema:"in euros"`
	}
	client, err := remotebrowser.NewClient()
	if err != nil {
		log.Fatal(err)
	}
	products, err := remotebrowser.QueryAs[[]Product](context.Background(), client,
		"<ul><li>Apples 2.40</li><li>Pears 3.10</li></ul>", "Which products are offered?")
	if err != nil {
		log.Fatal(err)
	}
	for _, product := range products {
		fmt.Println(product.Name, product.Price)
	}
}

// connect is a placeholder for an automation library.
func connect(string) {}

func ExampleBrowser_WaitClosed() {
	ctx := context.Background()
	client, err := remotebrowser.NewClient()
	if err != nil {
		log.Fatal(err)
	}
	browser, err := client.Open(ctx, &remotebrowser.OpenOptions{Tags: []string{"nightly"}})
	if err != nil {
		log.Fatal(err)
	}
	reason, err := browser.WaitClosed(ctx)
	if err != nil {
		log.Fatal(err)
	}
	record, err := browser.Info(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("It ended (%s) after %d units.\n", reason, record.Units)
}

func ExampleBrowser_Screenshot() {
	ctx := context.Background()
	client, err := remotebrowser.NewClient()
	if err != nil {
		log.Fatal(err)
	}
	browser, err := client.Open(ctx, &remotebrowser.OpenOptions{
		WaitForPlace: remotebrowser.Ptr(30 * time.Second),
		Screen:       &remotebrowser.Screen{Width: 412, Height: 915, Scale: remotebrowser.Ptr(2.0)},
		Language:     remotebrowser.Ptr("de-DE"),
		TimeZone:     remotebrowser.Ptr("Europe/Berlin"),
	})
	if err != nil {
		log.Fatal(err)
	}
	defer browser.Close(ctx)
	shot, err := browser.Screenshot(ctx)
	if err != nil {
		log.Fatal(err)
	}
	file := "screenshot." + strings.TrimPrefix(shot.Type, "image/")
	if err := os.WriteFile(file, shot.Image, 0o600); err != nil {
		log.Fatal(err)
	}
}

func ExampleClient_History() {
	client, err := remotebrowser.NewClient()
	if err != nil {
		log.Fatal(err)
	}
	lastWeek := time.Now().AddDate(0, 0, -7)
	for record, err := range client.History(context.Background(), &remotebrowser.HistoryOptions{Since: &lastWeek}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(record.ID, record.State, record.Units)
	}
}
