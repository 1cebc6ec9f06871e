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

// progress records the steps of a request.
type progress struct{ wasTraced, gotConnection, failedTLS atomic.Bool }

// watch records the progress of a request with the returned context, and cancels it if connecting exceeds limit.
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

// isFailureOfTLS excludes a handshake that timed out, because a retry may succeed.
func isFailureOfTLS(err error) bool {
	var network net.Error
	isLate := errors.Is(err, context.Canceled) || errors.As(err, &network) && network.Timeout()
	return err != nil && !isLate
}

// mayHaveBeenSent returns false only if the service received nothing. It returns true for a transport that doesn't
// support tracing.
func (p *progress) mayHaveBeenSent() bool {
	return !p.wasTraced.Load() || p.gotConnection.Load()
}
