package remotebrowser

import (
	"context"
	"net/http"
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
	request := generated.NewWaitRequest()
	request.Address, request.Id = b.byID()
	// Well below the timeout for an attempt.
	request.SetSeconds(min(longestWait, b.client.settings.timeout/2).Seconds())
	for {
		startedAt := time.Now()
		answer, err := call(ctx, b.client, opWait, func(ctx context.Context) (*generated.WaitResult, *http.Response, error) {
			return b.client.core.BrowserAPI.WaitForBrowser(ctx).WaitRequest(*request).Execute()
		})
		if err != nil {
			return "", err
		}
		if answer.State == "closed" {
			reason := answer.Reason.Get()
			if reason == nil {
				return "", nil
			}
			return *reason, nil
		}
		if err := sleep(ctx, shortestRound-time.Since(startedAt)); err != nil {
			return "", b.client.endedBy(ctx, opWait, err)
		}
	}
}
