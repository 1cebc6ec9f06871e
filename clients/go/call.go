package remotebrowser

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/remote-browser/remote-browser-service/clients/go/internal/generated"
)

// The wait before the first retry without Retry-After. It doubles with each retry, up to maxDoublings times.
const (
	firstWait    = 250 * time.Millisecond
	maxDoublings = 8
)

// call makes a call, and retries it where retrying is safe.
func call[Body, Answer any](
	ctx context.Context, client *Client, op operation, route generated.Route[Body, Answer], body Body,
) (*Answer, error) {
	request, err := newRequest(op, route, body)
	if err != nil {
		return nil, err
	}
	total, cancel := context.WithTimeout(ctx, client.settings.totalTimeout)
	defer cancel()
	for repeats := 0; ; repeats++ {
		answer, err := attempt[Answer](ctx, total, client, op, request)
		if err == nil {
			return answer, nil
		}
		wait, mayRepeat := waitBefore(op, err, repeats)
		if !mayRepeat || repeats == client.settings.retries || !fits(total, wait) {
			return nil, err
		}
		if ended := sleep(total, wait); ended != nil {
			return nil, client.endedBy(ctx, op, ended)
		}
		if mayHaveHappened(err) && !op.isIdempotent && !client.proveKeys(total) {
			if ended := ctx.Err(); ended != nil {
				return nil, client.endedBy(ctx, op, ended)
			}
			return nil, err
		}
	}
}

// mayHaveHappened reports whether the service may have carried out a failed request.
func mayHaveHappened(err error) bool {
	switch failure := err.(type) {
	case *APIError:
		return failure.Name == ""
	case *ConnectionError:
		return failure.wasSent
	case *TimeoutError:
		return true
	default:
		return false
	}
}

// proveKeys calls an operation that was added in the same version as the keys. Only success proves that the
// service has it: version 1.0 may check the token or the rate before the path. Failures aren't remembered,
// because the service may be updated.
func (c *Client) proveKeys(ctx context.Context) bool {
	if !c.hasKeys.Load() {
		if _, err := c.Account(ctx); err == nil {
			c.hasKeys.Store(true)
		}
	}
	return c.hasKeys.Load()
}

// waitBefore returns how long to wait before retrying a failed request, and whether it may be retried.
func waitBefore(op operation, err error, repeats int) (time.Duration, bool) {
	backoff, isRepeatable := backoffAfter(repeats), op.isIdempotent || op.key != nil
	switch failure := err.(type) {
	case contractError:
		var base *APIError
		mayRetry := errors.As(failure, &base) && base.RetryAfter != nil && failure.retryRule() == withRetryAfter
		if !mayRetry {
			return 0, false
		}
		return *base.RetryAfter, true
	case *APIError:
		return backoff, failure.Name == "" && isGateways(failure.Status) && isRepeatable
	case *ConnectionError:
		return backoff, !failure.isLasting && (!failure.wasSent || isRepeatable)
	case *TimeoutError:
		return backoff, isRepeatable
	default:
		return 0, false
	}
}

// backoffAfter returns the wait before a retry without Retry-After. Jitter keeps clients from retrying at the
// same time.
func backoffAfter(repeats int) time.Duration {
	return time.Duration(float64(firstWait<<min(repeats, maxDoublings)) * (1 + rand.Float64()) / 2)
}

// isGateways reports whether gateways send this status if their upstream doesn't respond.
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
