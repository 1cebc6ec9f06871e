package remotebrowser

import "context"

// Close closes the browser, as [Browser.Close] does.
func (s Session) Close(ctx context.Context) error { return s.browser.Close(ctx) }

// Info returns the browser's record, as [Browser.Info] does.
func (s Session) Info(ctx context.Context) (*BrowserRecord, error) { return s.browser.Info(ctx) }

// Screenshot takes a picture of what the browser shows, as [Browser.Screenshot] does.
func (s Session) Screenshot(ctx context.Context) (*Screenshot, error) {
	return s.browser.Screenshot(ctx)
}

// Update changes the browser, as [Browser.Update] does.
func (s Session) Update(ctx context.Context, changes UpdateOptions) (*BrowserRecord, error) {
	return s.browser.Update(ctx, changes)
}

// WaitClosed waits until the browser has ended, as [Browser.WaitClosed] does.
func (s Session) WaitClosed(ctx context.Context) (string, error) { return s.browser.WaitClosed(ctx) }
