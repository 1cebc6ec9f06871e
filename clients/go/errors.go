package remotebrowser

import (
	"fmt"
	"time"
)

// ConnectionError means that the connection failed, or that it was lost before the response was complete. In the
// second case, the service may have carried out the request.
type ConnectionError struct {
	// Operation is open, close, list, info, history, wait, update, close all, account, screenshot, screenshot
	// image, start desktop, stop desktop, query or connect.
	Operation string
	// Server is the host and port.
	Server string

	wasSent bool
	// Whether a retry would fail in the same way.
	isLasting bool
	cause     error
}

func (e *ConnectionError) Error() string {
	if e.wasSent {
		return fmt.Sprintf("remotebrowser: %s: the connection to %s was lost: %v", e.Operation, e.Server, e.cause)
	}
	return fmt.Sprintf("remotebrowser: %s: could not connect to %s: %v", e.Operation, e.Server, e.cause)
}

// CannotConnect returns the error for an automation library that could not connect to this browser. The error
// doesn't show the browser's address. CannotConnect is intended for helpers such as remotechromedp.
func (b *Browser) CannotConnect(cause error) *ConnectionError {
	return &ConnectionError{
		Operation: "connect",
		Server:    hostOf(*b.address),
		cause:     b.client.hideSecretsOf(cause),
	}
}

// Unwrap returns the underlying network error.
func (e *ConnectionError) Unwrap() error { return e.cause }

// TimeoutError means that a call exceeded one of the client's timeouts or the context's deadline.
// errors.Is(err, context.DeadlineExceeded) is true.
type TimeoutError struct {
	// Operation is one of the names in [ConnectionError], except for connect.
	Operation string

	limit string
	cause error
}

func (e *TimeoutError) Error() string {
	return fmt.Sprintf("remotebrowser: %s: no complete response within %s", e.Operation, e.limit)
}

// Timeout returns true. It implements [net.Error].
func (e *TimeoutError) Timeout() bool { return true }

// Unwrap returns the underlying network error.
func (e *TimeoutError) Unwrap() error { return e.cause }

// InvalidAnswerError means that a successful response doesn't match the contract or, for [QueryAs], that its value
// doesn't match the requested type.
type InvalidAnswerError struct {
	// Operation is one of the names in [ConnectionError], except for connect.
	Operation string

	cause error
}

func (e *InvalidAnswerError) Error() string {
	return fmt.Sprintf("remotebrowser: %s: the response is invalid: %v", e.Operation, e.cause)
}

// Unwrap returns a description of the mismatch.
func (e *InvalidAnswerError) Unwrap() error { return e.cause }

// limitOf describes one of the client's timeouts and the option that sets it.
func limitOf(option string, timeout time.Duration) string {
	return fmt.Sprintf("%v (%s)", timeout, option)
}
