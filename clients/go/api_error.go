package remotebrowser

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// APIError is a response other than success. Each error in the contract has a type that wraps an APIError.
type APIError struct {
	// Status is the HTTP status.
	Status int
	// Name is the error's name in the contract. It is empty if the response isn't from the service, such as a
	// gateway's error page.
	Name string
	// Message is for humans, and its wording may change. Programs should check Name or the error's type.
	Message string
	// RequestID identifies the request in the server's log. It is empty if the response doesn't include one.
	RequestID string
	// RetryAfter is how long to wait before retrying; nil if the service doesn't say.
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

// toAPIError reads a response other than success. Responses from the service are objects with a name.
func (c *Client) toAPIError(response *http.Response, body []byte) error {
	base := &APIError{Status: response.StatusCode, RequestID: c.hideSecrets(response.Header.Get("X-Request-Id"))}
	var said map[string]any
	// If the body isn't an object, the map stays empty.
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
	return "the response isn't from the service and may be from a gateway: " + c.show(string(body))
}

// readList reads a list in an error's body. If the list is missing or invalid, the result is empty.
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

// readRetryAfter reads whole seconds. The service never sends a date, so it is ignored.
func readRetryAfter(text string) *time.Duration {
	seconds, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return nil
	}
	return Ptr(time.Duration(seconds) * time.Second)
}
