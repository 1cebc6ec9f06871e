package remotebrowser

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// APIError is a response other than success. Each error in the contract has its own type, which wraps it.
type APIError struct {
	// Status is the HTTP status.
	Status int
	// Name is the error's name in the contract; empty for a response that isn't from the service, such as a
	// gateway's error page.
	Name string
	// Message is for people, and its wording may change. Programs should check Name or the type.
	Message string
	// RequestID identifies the request in the server's log; empty when the response has none.
	RequestID string
	// RetryAfter is how long to wait before retrying; nil when the service doesn't say.
	RetryAfter *time.Duration
}

func (e *APIError) Error() string {
	label := fmt.Sprintf("HTTP %d", e.Status)
	if e.RequestID != "" {
		label += ", request " + e.RequestID
	}
	if e.Name != "" {
		label = fmt.Sprintf("%s (%s)", e.Name, label)
	}
	return fmt.Sprintf("remotebrowser: %s: %s", label, e.Message)
}

// toAPIError reads a response other than success. It is from the service if it is an object with a name.
func (c *Client) toAPIError(response *http.Response, body []byte) error {
	base := &APIError{Status: response.StatusCode, RequestID: c.hideSecrets(response.Header.Get("X-Request-Id"))}
	var said map[string]any
	// A body that isn't an object leaves the map empty.
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

// describeForeign describes a response that isn't from the service.
func (c *Client) describeForeign(response *http.Response, body []byte) string {
	if origin := response.Header.Get("Location"); origin != "" && response.StatusCode < http.StatusBadRequest {
		return "the response redirects to " + c.show(origin) + ", and redirects are not followed: set the URL to the service's own"
	}
	return "the response is not from the service, but perhaps from a gateway: " + c.show(string(body))
}

// readList reads a list that only one error has. A missing or invalid list is left empty, and doesn't
// change the error's type.
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

// readRetryAfter reads whole seconds. It ignores a date, which the service never sends.
func readRetryAfter(text string) *time.Duration {
	seconds, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return nil
	}
	return Ptr(time.Duration(seconds) * time.Second)
}
