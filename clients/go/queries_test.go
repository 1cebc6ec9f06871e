package remotebrowser_test

import (
	"context"
	"encoding/json"
	"testing"

	remotebrowser "github.com/remote-browser/remote-browser-service/clients/go"
)

func TestATypeIsSentAsItsSchema(t *testing.T) {
	service := newFakeService(t, answerJSON(200, `{"status":200,"response":"","value":{"product":"Kettle","price":39.9}}`))
	value, err := remotebrowser.QueryAs[product](context.Background(), service.client(t), "<p>", "?")
	expectValue(t, value, err, product{Product: "Kettle", Price: 39.9})
	var schema map[string]any
	if err := json.Unmarshal([]byte(service.all()[0].body["responseFormat"].(string)), &schema); err != nil {
		t.Fatal(err)
	}
	expectValue[any](t, schema, nil, map[string]any{
		"type":                 "object",
		"additionalProperties": false,
		"required":             []any{"product", "price"},
		"properties":           map[string]any{"product": map[string]any{"type": "string"}, "price": map[string]any{"type": "number"}},
	})
}

func TestAValueOfTheWrongTypeIsInvalid(t *testing.T) {
	for _, value := range []string{`"nonsense"`, `{"product":"Kettle"}`, `{"product":1,"price":2}`, `[]`, `null`} {
		service := newFakeService(t, answerJSON(200, `{"status":200,"response":"","value":`+value+`}`))
		got, err := remotebrowser.QueryAs[product](context.Background(), service.client(t), "<p>", "?")
		expect[*remotebrowser.InvalidAnswerError](t, err)
		if got != (product{}) {
			t.Errorf("%s is read as %v", value, got)
		}
	}
}

func TestNullIsAValueAndAMissingValueIsInvalid(t *testing.T) {
	ctx := context.Background()
	null := newFakeService(t, answerJSON(200, `{"status":200,"response":"null","value":null}`)).client(t)
	value, err := null.QueryJSON(ctx, "<p>", "?")
	expectValue[any](t, value, err, nil)
	typed, err := remotebrowser.QueryAs[*product](ctx, null, "<p>", "?")
	expectValue(t, typed, err, nil)

	none := newFakeService(t, answered).client(t)
	_, err = none.QueryJSON(ctx, "<p>", "?")
	expect[*remotebrowser.InvalidAnswerError](t, err)
	_, err = remotebrowser.QueryAs[*product](ctx, none, "<p>", "?")
	expect[*remotebrowser.InvalidAnswerError](t, err)
}

func TestATypeWithoutAJSONSchemaIsRefusedBeforeAnyRequest(t *testing.T) {
	type tree struct{ Children []*tree }
	service := newFakeService(t, answered)
	if _, err := remotebrowser.QueryAs[tree](context.Background(), service.client(t), "<p>", "?"); err == nil {
		t.Error("the query succeeded")
	}
	service.expectRequests(t, 0)
}

func TestQueriesForTextAndJSONSendTheirFormat(t *testing.T) {
	ctx := context.Background()
	service := newFakeService(t, answerJSON(200, `{"status":200,"response":"[1]","value":[1]}`))
	text, err := service.client(t).Query(ctx, "<p>", "?")
	expectValue(t, text, err, "[1]")
	value, err := service.client(t).QueryJSON(ctx, "<p>", "?")
	expectValue[any](t, value, err, []any{1.0})
	came := service.all()
	if _, given := came[0].body["responseFormat"]; given || came[1].body["responseFormat"] != "json" {
		t.Errorf("sent %s and %s", came[0].raw, came[1].raw)
	}
}
