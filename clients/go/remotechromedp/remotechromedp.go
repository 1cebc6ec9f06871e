// Package remotechromedp connects [github.com/chromedp/chromedp] to browsers that the Remote Browser
// Service has opened.
package remotechromedp

import (
	"context"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/remote"
	remotebrowser "github.com/remote-browser/remote-browser-service/clients/go"
)

// NewContext connects to an open browser, and makes a chromedp context for a new tab of it. When it
// cannot connect, that is a [*remotebrowser.ConnectionError], which does not show the browser's address.
//
// Cancelling the context closes its tab and disconnects, and leaves the browser open: closing that is
// [remotebrowser.Browser.Close]'s.
func NewContext(parent context.Context, browser *remotebrowser.Browser, options ...chromedp.ContextOption) (context.Context, context.CancelFunc, error) {
	// The address is complete, and its host may answer to nothing else: it is not to be looked up.
	allocator, disconnect := remote.NewAllocator(parent, browser.Address(), remote.NoModifyURL)
	ctx, cancel := chromedp.NewContext(allocator, options...)
	leave := func() {
		cancel()
		disconnect()
	}
	// Without a step to do, it connects.
	if err := chromedp.Do(ctx); err != nil {
		leave()
		if parent.Err() != nil {
			return nil, nil, parent.Err()
		}
		return nil, nil, browser.CannotConnect(err)
	}
	return ctx, leave, nil
}
