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

// progress is how far a request came.
type progress struct{ wasTraced, gotConnection, failedTLS atomic.Bool }

// watch notes how far requests of a context come, and ends them when connecting takes too long.
func (p *progress) watch(parent context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(parent)
	// It runs while a connection is being made.
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

// isFailureOfTLS leaves out a handshake that took too long: another one may be faster.
func isFailureOfTLS(err error) bool {
	var network net.Error
	isLate := errors.Is(err, context.Canceled) || errors.As(err, &network) && network.Timeout()
	return err != nil && !isLate
}

// mayHaveBeenSent is false only if it is certain that the service got nothing: a transport that does
// not tell leaves it open.
func (p *progress) mayHaveBeenSent() bool {
	return !p.wasTraced.Load() || p.gotConnection.Load()
}
