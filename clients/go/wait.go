package remotebrowser

import (
	"context"
	"time"

	"github.com/remote-browser/remote-browser-service/clients/go/internal/generated"
)

const (
	// Below 30 s, after which many gateways end a request.
	longestWait = 25 * time.Second
	// Limits the request rate: a service that is shutting down responds early, with an open browser.
	shortestRound = time.Second
)

// WaitClosed waits until the browser has ended, and returns the reason, such as "requested", "inactive",
// "lifetime" or "crashed". Later versions may add values. Waiting requires contract version 1.1 but no DevTools
// connection, and doesn't keep the browser open.
//
// The only limit is ctx. If the service no longer keeps the ended browser's record, the error is a
// [*BrowserNotFoundError].
func (b *Browser) WaitClosed(ctx context.Context) (string, error) {
	// The service must respond well before the attempt times out.
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
