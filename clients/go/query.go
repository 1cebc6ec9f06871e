package remotebrowser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/remote-browser/remote-browser-service/clients/go/internal/generated"
)

// The response format for JSON without a schema.
const anyJSON = "json"

// Query queries the service's language model about an HTML document or fragment, and returns text.
func (c *Client) Query(ctx context.Context, html, prompt string) (string, error) {
	answer, err := call(ctx, c, opQuery, generated.QueryAi, generated.QueryRequest{Html: html, Prompt: prompt})
	if err != nil {
		return "", err
	}
	return answer.Response, nil
}

// QueryJSON is like [Client.Query], but returns JSON whose structure depends on the prompt, decoded as by
// [encoding/json.Unmarshal] into an any.
func (c *Client) QueryJSON(ctx context.Context, html, prompt string) (any, error) {
	return c.queryValue(ctx, html, prompt, anyJSON)
}

// QueryAs is like [Client.Query], but returns a value of type T: a number, a string, a struct, a slice, or a map
// with string keys. A struct's json tags name its members, which are required unless their tags contain omitempty
// or omitzero. Its jsonschema tags describe the members to the language model:
//
//	type Product struct {
//		Name  string  `json:"name"`
//		Price float64 `json:"price" jsonschema:"in euros"`
//	}
//	product, err := remotebrowser.QueryAs[Product](ctx, client, html, "Which product is this?")
//
// The client sends the type as a JSON Schema. A type without a JSON Schema, such as a function or a recursive
// type, is an error before any request is sent. If the value doesn't match T, the error is an
// [*InvalidAnswerError].
func QueryAs[T any](ctx context.Context, client *Client, html, prompt string) (T, error) {
	var value T
	schema, err := jsonschema.For[T](nil)
	if err != nil {
		return value, fmt.Errorf("remotebrowser: there is no JSON Schema for %T: %w", value, err)
	}
	text, err := json.Marshal(schema)
	if err != nil {
		return value, fmt.Errorf("remotebrowser: the JSON Schema of %T cannot be written: %w", value, err)
	}
	answered, err := client.queryValue(ctx, html, prompt, string(text))
	if err != nil {
		return value, err
	}
	if err := readAs(schema, answered, &value); err != nil {
		var none T
		return none, client.invalid(opQuery, fmt.Errorf("its value is not a %T: %w", none, err))
	}
	return value, nil
}

// queryValue fails if the response has no value. A null value is valid.
func (c *Client) queryValue(ctx context.Context, html, prompt, format string) (any, error) {
	request := generated.QueryRequest{Html: html, Prompt: prompt, ResponseFormat: &format}
	answer, err := call(ctx, c, opQuery, generated.QueryAi, request)
	if err != nil {
		return nil, err
	}
	if answer.Value == nil {
		return nil, c.invalid(opQuery, errors.New("it has no value"))
	}
	var value any
	if err := json.Unmarshal(answer.Value, &value); err != nil {
		return nil, c.invalid(opQuery, nameMisfit(err))
	}
	return value, nil
}

// readAs validates the value first, because encoding/json reads missing members as zero values.
func readAs(schema *jsonschema.Schema, value, target any) error {
	if !fitsSchema(schema, value) {
		return fmt.Errorf("it does not match the schema at %q", locateMisfit(schema, value))
	}
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, target); err != nil {
		return nameMisfit(err)
	}
	return nil
}
