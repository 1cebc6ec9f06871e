// Package remotechromedp connects [github.com/chromedp/chromedp] to browsers of the Remote Browser Service.
package remotechromedp

import (
	"context"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/remote"
	remotebrowser "github.com/remote-browser/remote-browser-service/clients/go"
)

// NewContext connects to an open browser and returns a chromedp context for a new tab. If connecting fails, the
// error is a [*remotebrowser.ConnectionError], which doesn't show the browser's address.
//
// Cancelling the context closes its tab and disconnects. The browser stays open until
// [remotebrowser.Browser.Close].
func NewContext(parent context.Context, browser *remotebrowser.Browser, options ...chromedp.ContextOption) (context.Context, context.CancelFunc, error) {
	// The address is complete. To resolve it, chromedp would send another request, which the host may refuse.
	allocator, disconnect := remote.NewAllocator(parent, browser.Address(), remote.NoModifyURL)
	ctx, cancel := chromedp.NewContext(allocator, options...)
	leave := func() {
		cancel()
		disconnect()
	}
	// Do without actions connects.
	if err := chromedp.Do(ctx); err != nil {
		leave()
		if parent.Err() != nil {
			return nil, nil, parent.Err()
		}
		return nil, nil, browser.CannotConnect(err)
	}
	return ctx, leave, nil
}
