package remotebrowser

import (
	"fmt"
	"time"
)

// ConnectionError says that the connection failed, or that it was lost before the response was complete. If
// it was lost, the service may have carried out the request.
type ConnectionError struct {
	// The operation: open, close, list, info, history, wait, update, close all, account, screenshot,
	// start desktop, stop desktop, query or connect.
	Operation string
	// The host and port to connect to.
	Server string

	wasSent bool
	// A retry would fail in the same way.
	isLasting bool
	cause     error
}

func (e *ConnectionError) Error() string {
	if e.wasSent {
		return fmt.Sprintf("remotebrowser: %s: the connection to %s was lost: %v", e.Operation, e.Server, e.cause)
	}
	return fmt.Sprintf("remotebrowser: %s: could not connect to %s: %v", e.Operation, e.Server, e.cause)
}

// CannotConnect returns the error for an automation library that could not connect to this browser. The
// error doesn't show the browser's address. It is for helpers such as remotechromedp.
func (b *Browser) CannotConnect(cause error) *ConnectionError {
	return &ConnectionError{
		Operation: "connect",
		Server:    hostOf(*b.address),
		cause:     b.client.hideSecretsOf(cause),
	}
}

// Unwrap returns the network's own error.
func (e *ConnectionError) Unwrap() error { return e.cause }

// TimeoutError says that the response was not complete in time: within one of the client's timeouts, or
// before the context's deadline. errors.Is(err, context.DeadlineExceeded) is true.
type TimeoutError struct {
	// The operation: open, close, list, info, history, wait, update, close all, account, screenshot,
	// start desktop, stop desktop or query.
	Operation string

	limit string
	cause error
}

func (e *TimeoutError) Error() string {
	return fmt.Sprintf("remotebrowser: %s: no complete response within %s", e.Operation, e.limit)
}

// Timeout is true, as in [net.Error].
func (e *TimeoutError) Timeout() bool { return true }

// Unwrap returns the network's own error.
func (e *TimeoutError) Unwrap() error { return e.cause }

// InvalidAnswerError says that a successful response doesn't match the contract or, for [QueryAs], that its
// value is not of the given type.
type InvalidAnswerError struct {
	// The operation: open, close, list, info, history, wait, update, close all, account, screenshot,
	// start desktop, stop desktop or query.
	Operation string

	cause error
}

func (e *InvalidAnswerError) Error() string {
	return fmt.Sprintf("remotebrowser: %s: the response is invalid: %v", e.Operation, e.cause)
}

// Unwrap returns what is wrong with the response.
func (e *InvalidAnswerError) Unwrap() error { return e.cause }

// limitOf describes one of the client's timeouts, with the option that sets it.
func limitOf(option string, timeout time.Duration) string {
	return fmt.Sprintf("%v (%s)", timeout, option)
}
