package remotebrowser

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http/httptrace"
	"sync/atomic"
	"time"
)

// progress is how far a request got.
type progress struct{ wasTraced, gotConnection, failedTLS atomic.Bool }

// watch tracks how far requests with this context get, and cancels them when connecting takes too long.
func (p *progress) watch(parent context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(parent)
	// The timer runs while connecting.
	timer := time.AfterFunc(limit, func() { cancel(fmt.Errorf("no connection within %v", limit)) })
	timer.Stop()
	traced := httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) {
			p.wasTraced.Store(true)
			timer.Reset(limit)
		},
		GotConn: func(httptrace.GotConnInfo) {
			p.gotConnection.Store(true)
			timer.Stop()
		},
		TLSHandshakeDone: func(_ tls.ConnectionState, err error) { p.failedTLS.Store(isFailureOfTLS(err)) },
	})
	return traced, func() {
		timer.Stop()
		cancel(context.Canceled)
	}
}

// isFailureOfTLS doesn't count a handshake that timed out: a retry may succeed.
func isFailureOfTLS(err error) bool {
	var network net.Error
	isLate := errors.Is(err, context.Canceled) || errors.As(err, &network) && network.Timeout()
	return err != nil && !isLate
}

// mayHaveBeenSent is false only if the service certainly received nothing. It is true for a transport that
// doesn't support tracing.
func (p *progress) mayHaveBeenSent() bool {
	return !p.wasTraced.Load() || p.gotConnection.Load()
}
