package remotebrowser

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/remote-browser/remote-browser-service/clients/go/internal/generated"
)

const jsonType = "application/json"

// request is sent by each attempt of a call.
type request struct {
	method, path, mediaTypes string
	body                     []byte
	// The Idempotency-Key; nil for operations without a key. The service refuses an empty key.
	key *string
}

func newRequest[Body, Answer any](op operation, route generated.Route[Body, Answer], body Body) (request, error) {
	made := request{method: route.Method, path: route.Path, mediaTypes: route.MediaTypes, key: op.key}
	if query, ok := any(body).(generated.Query); ok {
		values := url.Values{}
		for name, value := range query {
			values.Set(name, value)
		}
		made.path += "?" + values.Encode()
	}
	if route.Method == http.MethodGet {
		return made, nil
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	// Escapes take six bytes each, and could make an HTML document too large for the service.
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(body); err != nil {
		return made, fmt.Errorf("remotebrowser: %s: the request cannot be written as JSON: %w", op.name, err)
	}
	made.body = text.Bytes()
	return made, nil
}

// send sends a request once, and reads the complete response.
func (c *Client) send(ctx context.Context, given request) (*http.Response, []byte, error) {
	address := strings.TrimRight(*c.settings.url, "/") + given.path
	request, err := http.NewRequestWithContext(ctx, given.method, address, bytes.NewReader(given.body))
	if err != nil {
		return nil, nil, err
	}
	request.Header.Set("Accept", given.mediaTypes)
	if given.mediaTypes != jsonType {
		// Errors are JSON.
		request.Header.Add("Accept", jsonType)
	}
	request.Header.Set("Authorization", "Bearer "+*c.settings.token)
	request.Header.Set("User-Agent", "remote-browser-go/"+version)
	if given.body != nil {
		request.Header.Set("Content-Type", jsonType)
	}
	if given.key != nil {
		// net/http looks for the canonical spelling, and would repeat an Open request on a reused connection of a
		// custom transport.
		request.Header["idempotency-key"] = []string{*given.key}
	}
	for name, value := range c.settings.headers {
		request.Header.Set(name, value)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return response, text, err
}
