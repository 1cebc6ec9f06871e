package remotebrowser

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"net/url"
	"time"
)

// attempt sends a request once, and converts failures to this package's errors. total is the caller's context
// with the total timeout.
func attempt[Answer any](caller, total context.Context, client *Client, op operation, request request) (*Answer, error) {
	bounded, cancel := total, context.CancelFunc(func() {})
	if !op.isLong {
		bounded, cancel = context.WithTimeout(total, client.timeoutOf(op))
	}
	defer cancel()
	var progress progress
	watched, stop := progress.watch(bounded, client.settings.connectTimeout)
	defer stop()
	response, text, err := client.send(watched, request)
	var tooLarge *http.MaxBytesError
	switch {
	case err == nil && response.StatusCode >= http.StatusMultipleChoices:
		return nil, client.toAPIError(response, text)
	case err == nil:
		answer, err := readAnswer[Answer](request.mediaTypes, response.Header, text)
		if err != nil {
			return nil, client.invalid(op, err)
		}
		return answer, nil
	case errors.As(err, &tooLarge):
		return nil, client.invalid(op, fmt.Errorf("it has more than %d bytes", tooLarge.Limit))
	}
	if ended := bounded.Err(); ended != nil {
		return nil, client.ended(caller, total, op, ended)
	}
	if watched.Err() != nil {
		err = context.Cause(watched)
	}
	return nil, client.broken(op, &progress, err)
}

// ended returns the error for an attempt that the caller or one of the client's timeouts ended.
func (c *Client) ended(caller, total context.Context, op operation, cause error) error {
	if caller.Err() != nil || total.Err() != nil {
		return c.endedBy(caller, op, cause)
	}
	origin := "WithTimeout"
	if op.mayWait > 0 {
		origin += " and WaitForPlace"
	}
	return &TimeoutError{Operation: op.name, limit: limitOf(origin, c.timeoutOf(op)), cause: cause}
}

// timeoutOf returns the timeout for one attempt. The sum can't overflow.
func (c *Client) timeoutOf(op operation) time.Duration {
	timeout := c.settings.timeout
	return timeout + min(max(0, op.mayWait), math.MaxInt64-timeout)
}

// endedBy returns the error for a call that the caller or the total timeout ended.
func (c *Client) endedBy(caller context.Context, op operation, cause error) error {
	switch {
	case caller.Err() == nil:
		limit := limitOf("WithTotalTimeout", c.settings.totalTimeout)
		return &TimeoutError{Operation: op.name, limit: limit, cause: cause}
	case errors.Is(caller.Err(), context.DeadlineExceeded):
		return &TimeoutError{Operation: op.name, limit: "the deadline of its context", cause: caller.Err()}
	default:
		return fmt.Errorf("remotebrowser: %s: %w", op.name, caller.Err())
	}
}

// broken returns the error for a network failure.
func (c *Client) broken(op operation, progress *progress, err error) error {
	// Unwrap url.Error, because its message contains the request's URL.
	var ofRequest *url.Error
	if errors.As(err, &ofRequest) {
		err = ofRequest.Err
	}
	err = c.hideSecretsOf(err)
	wasSent := progress.mayHaveBeenSent()
	// Only a custom HTTP client has its own timeout.
	var network net.Error
	if wasSent && errors.As(err, &network) && network.Timeout() {
		return &TimeoutError{Operation: op.name, limit: "the HTTP client's own timeout", cause: err}
	}
	isLasting := progress.failedTLS.Load() && !progress.gotConnection.Load()
	return &ConnectionError{Operation: op.name, Server: hostOf(*c.settings.url), wasSent: wasSent, isLasting: isLasting, cause: err}
}

// hostOf returns a URL's host and port.
func hostOf(address string) string {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Hostname() == "" {
		return "an invalid URL"
	}
	port := parsed.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443", "ws": "80", "wss": "443"}[parsed.Scheme]
	}
	return net.JoinHostPort(parsed.Hostname(), port)
}
