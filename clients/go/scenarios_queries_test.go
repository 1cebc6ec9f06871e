package remotebrowser_test

import (
	"context"
	"reflect"
	"testing"

	remotebrowser "github.com/remote-browser/remote-browser-service/clients/go"
	"github.com/remote-browser/remote-browser-service/clients/go/internal/stage"
)

type product struct {
	Product string  `json:"product"`
	Price   float64 `json:"price"`
}

const (
	document = "<h1>Kettle</h1><p>39.90</p>"
	prompt   = "What does this page say?"
)

func playQueryText(t *testing.T, place stage.Stage, _ stage.Scenario) {
	text, err := newClient(t, place).Query(context.Background(), document, prompt)
	expectValue(t, text, err, "No, the shop is only open from Monday to Friday.")
}

func playQueryJSON(t *testing.T, place stage.Stage, _ stage.Scenario) {
	value, err := newClient(t, place).QueryJSON(context.Background(), document, prompt)
	expectValue[any](t, value, err, []any{
		map[string]any{"product": "Apples", "price": 2.4},
		map[string]any{"product": "Pears", "price": 3.1},
	})
}

func playQueryTyped(t *testing.T, place stage.Stage, _ stage.Scenario) {
	value, err := remotebrowser.QueryAs[product](context.Background(), newClient(t, place), document, prompt)
	expectValue(t, value, err, product{Product: "Kettle", Price: 39.9})
}

func playQueryNumber(t *testing.T, place stage.Stage, _ stage.Scenario) {
	value, err := remotebrowser.QueryAs[float64](context.Background(), newClient(t, place), document, prompt)
	expectValue(t, value, err, 39.9)
}

func playQueryMisfit(t *testing.T, place stage.Stage, _ stage.Scenario) {
	client := newClient(t, place, remotebrowser.WithURL(place.With("misfit").URL))
	_, err := remotebrowser.QueryAs[product](context.Background(), client, document, prompt)
	expect[*remotebrowser.InvalidAnswerError](t, err)
}

func playQueryNoValue(t *testing.T, place stage.Stage, _ stage.Scenario) {
	ctx, client := context.Background(), newClient(t, place, remotebrowser.WithURL(place.With("no-value").URL))
	_, err := remotebrowser.QueryAs[product](ctx, client, document, prompt)
	expect[*remotebrowser.InvalidAnswerError](t, err)
	_, err = client.QueryJSON(ctx, document, prompt)
	expect[*remotebrowser.InvalidAnswerError](t, err)
}

func expectValue[T any](t *testing.T, value T, err error, wanted T) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(value, wanted) {
		t.Fatalf("expected %v, got %v", wanted, value)
	}
}
