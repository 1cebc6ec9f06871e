package remotebrowser

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// APIError is an answer other than success. Errors of the contract have a type each, which wraps it.
type APIError struct {
	// Status is the HTTP status.
	Status int
	// Name is the error's name in the contract; empty for an answer that is not the service's own, for
	// example a gateway's page.
	Name string
	// Message is for people, and its wording may change; decide by Name or by type.
	Message string
	// RequestID identifies the request in the server's log; empty when the answer has none.
	RequestID string
	// RetryAfter says how long to wait before asking again; nil when the service does not say.
	RetryAfter *time.Duration
}

func (e *APIError) Error() string {
	who := fmt.Sprintf("HTTP %d", e.Status)
	if e.RequestID != "" {
		who += ", request " + e.RequestID
	}
	if e.Name != "" {
		who = fmt.Sprintf("%s (%s)", e.Name, who)
	}
	return fmt.Sprintf("remotebrowser: %s: %s", who, e.Message)
}

// toAPIError reads an answer other than success. It is the service's own if it is an object with a name.
func (c *Client) toAPIError(response *http.Response, body []byte) error {
	base := &APIError{Status: response.StatusCode, RequestID: c.hideSecrets(response.Header.Get("X-Request-Id"))}
	var said map[string]any
	// What is no object says nothing.
	_ = json.Unmarshal(body, &said)
	c.hideSecretsIn(said)
	base.Name, _ = said["name"].(string)
	if base.Name == "" {
		base.Message = c.describeForeign(response, body)
		return base
	}
	base.Message, _ = said["message"].(string)
	if id, _ := said["requestId"].(string); id != "" {
		base.RequestID = id
	}
	base.RetryAfter = readRetryAfter(response.Header.Get("Retry-After"))
	return ofName(base, said)
}

// describeForeign says what came in place of the service's own answer.
func (c *Client) describeForeign(response *http.Response, body []byte) string {
	if origin := response.Header.Get("Location"); origin != "" && response.StatusCode < http.StatusBadRequest {
		return "redirects are not followed; this one leads to " + c.show(origin) + ", if that is the service, set its URL"
	}
	return "the answer is not the service's own: " + c.show(string(body))
}

// readList reads a list that one error alone has. One that is missing or misshapen makes the error
// poorer, but no other error.
func readList[T any](member any) []T {
	text, err := json.Marshal(member)
	if err != nil {
		return nil
	}
	var list []T
	if err := json.Unmarshal(text, &list); err != nil {
		return nil
	}
	return list
}

// readRetryAfter reads whole seconds. A date depends on two clocks, and the service sends none.
func readRetryAfter(text string) *time.Duration {
	seconds, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return nil
	}
	return Ptr(time.Duration(seconds) * time.Second)
}
