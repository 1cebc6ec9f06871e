package remotebrowser

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"time"
)

// The wait before the first repeat that nobody told the time of; it doubles with each further one, some
// times.
const (
	firstWait    = 250 * time.Millisecond
	maxDoublings = 8
)

// send is one request by the core. The core reads the whole body, or fails.
type send[T any] func(ctx context.Context) (*T, *http.Response, error)

// call asks once, and again where that can do no harm.
func call[T any](ctx context.Context, client *Client, op operation, send send[T]) (*T, error) {
	total, cancel := context.WithTimeout(ctx, client.settings.totalTimeout)
	defer cancel()
	for repeats := 0; ; repeats++ {
		answer, err := attempt(ctx, total, client, op, send)
		if err == nil {
			return answer, nil
		}
		wait, mayRepeat := waitBefore(op, err, repeats)
		if !mayRepeat || repeats == client.settings.retries || !fits(total, wait) {
			return nil, err
		}
		if err := sleep(total, wait); err != nil {
			return nil, client.endedBy(ctx, op, err)
		}
	}
}

// waitBefore tells whether a request that failed may be sent again, and after what.
func waitBefore(op operation, err error, repeats int) (time.Duration, bool) {
	backoff := backoffAfter(repeats)
	switch failure := err.(type) {
	case contractError:
		var base *APIError
		isTold := errors.As(failure, &base) && base.RetryAfter != nil && failure.retryRule() == whenTold
		if !isTold {
			return 0, false
		}
		return *base.RetryAfter, true
	case *APIError:
		return backoff, failure.Name == "" && isGateways(failure.Status) && op.isIdempotent
	case *ConnectionError:
		return backoff, !failure.isLasting && (!failure.wasSent || op.isIdempotent)
	case *TimeoutError:
		return backoff, op.isIdempotent
	default:
		return 0, false
	}
}

// backoffAfter is how long to wait when nobody said; clients that failed together come back apart.
func backoffAfter(repeats int) time.Duration {
	return time.Duration(float64(firstWait<<min(repeats, maxDoublings)) * (1 + rand.Float64()) / 2)
}

// isGateways tells whether a gateway says by this status that what is behind it did not answer.
func isGateways(status int) bool {
	return status == http.StatusBadGateway || status == http.StatusServiceUnavailable || status == http.StatusGatewayTimeout
}

func fits(ctx context.Context, wait time.Duration) bool {
	deadline, _ := ctx.Deadline()
	return ctx.Err() == nil && wait < time.Until(deadline)
}

func sleep(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
