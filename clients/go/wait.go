package remotebrowser

import (
	"context"
	"time"

	"github.com/remote-browser/remote-browser-service/clients/go/internal/generated"
)

const (
	// Many gateways end requests that take longer than 30 s.
	longestWait = 25 * time.Second
	// A service that is shutting down may respond early, while the browser is still open.
	shortestRound = time.Second
)

// WaitClosed waits until the browser has ended, for whatever reason, and returns the reason, such as
// "requested", "inactive", "lifetime" or "crashed". Later versions may add values. It needs contract
// version 1.1, but no DevTools connection, and doesn't keep the browser open.
//
// It waits as long as ctx allows. If the service doesn't keep the record of the ended browser any more, the
// error is a [*BrowserNotFoundError].
func (b *Browser) WaitClosed(ctx context.Context) (string, error) {
	// Well below the timeout for an attempt.
	seconds := min(longestWait, b.client.settings.timeout/2).Seconds()
	reference := b.byID()
	request := generated.WaitRequest{Address: reference.Address, Id: reference.Id, Seconds: &seconds}
	for {
		startedAt := time.Now()
		answer, err := call(ctx, b.client, opWait, generated.WaitForBrowser, request)
		if err != nil {
			return "", err
		}
		if answer.State == "closed" {
			return orZero(answer.Reason), nil
		}
		if err := sleep(ctx, shortestRound-time.Since(startedAt)); err != nil {
			return "", b.client.endedBy(ctx, opWait, err)
		}
	}
}
