package remotebrowser

import (
	"fmt"
	"time"
)

// ConnectionError says that no connection could be made, or that it was lost before the answer was
// complete. In the latter case the service may have done what it was asked for.
type ConnectionError struct {
	// What was asked for: open, close, list, start desktop, stop desktop, query or connect.
	Operation string
	// Host and port that were to be reached.
	Server string

	wasSent bool
	// It would fail in the same way again.
	isLasting bool
	cause     error
}

func (e *ConnectionError) Error() string {
	if e.wasSent {
		return fmt.Sprintf("remotebrowser: %s: the connection to %s was lost: %v", e.Operation, e.Server, e.cause)
	}
	return fmt.Sprintf("remotebrowser: %s: could not connect to %s: %v", e.Operation, e.Server, e.cause)
}

// CannotConnect says, without the browser's address, that a library which drives browsers could not
// connect to this one. It is for helpers such as remotechromedp.
func (b *Browser) CannotConnect(cause error) *ConnectionError {
	return &ConnectionError{
		Operation: "connect",
		Server:    hostOf(*b.address),
		cause:     b.client.hideSecretsOf(cause),
	}
}

// Unwrap gives what the network said.
func (e *ConnectionError) Unwrap() error { return e.cause }

// TimeoutError says that no complete answer came in time: within one of the client's time-outs, or
// before the deadline of the caller's context. errors.Is(err, context.DeadlineExceeded) holds.
type TimeoutError struct {
	// What was asked for: open, close, list, start desktop, stop desktop or query.
	Operation string

	limit string
	cause error
}

func (e *TimeoutError) Error() string {
	return fmt.Sprintf("remotebrowser: %s: no complete answer within %s", e.Operation, e.limit)
}

// Timeout is true, as in [net.Error].
func (e *TimeoutError) Timeout() bool { return true }

// Unwrap gives what the network said.
func (e *TimeoutError) Unwrap() error { return e.cause }

// InvalidAnswerError says that the service answered with success, but not with what its contract says,
// or, for [QueryAs], not with a value of the wanted type.
type InvalidAnswerError struct {
	// What was asked for: open, close, list, start desktop, stop desktop or query.
	Operation string

	cause error
}

func (e *InvalidAnswerError) Error() string {
	return fmt.Sprintf("remotebrowser: %s: the answer cannot be used: %v", e.Operation, e.cause)
}

// Unwrap gives what is wrong with the answer.
func (e *InvalidAnswerError) Unwrap() error { return e.cause }

// limitOf names a time-out of the client's own by the option that sets it.
func limitOf(option string, timeout time.Duration) string {
	return fmt.Sprintf("%v (%s)", timeout, option)
}
