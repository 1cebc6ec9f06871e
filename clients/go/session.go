package remotebrowser

import "context"

// Close closes the browser. See [Browser.Close].
func (s Session) Close(ctx context.Context) error { return s.browser.Close(ctx) }

// Info returns the browser's record. See [Browser.Info].
func (s Session) Info(ctx context.Context) (*BrowserRecord, error) { return s.browser.Info(ctx) }

// Screenshot takes a picture of the browser. See [Browser.Screenshot].
func (s Session) Screenshot(ctx context.Context) (*Screenshot, error) {
	return s.browser.Screenshot(ctx)
}

// Update changes the browser. See [Browser.Update].
func (s Session) Update(ctx context.Context, changes UpdateOptions) (*BrowserRecord, error) {
	return s.browser.Update(ctx, changes)
}

// WaitClosed waits until the browser has ended. See [Browser.WaitClosed].
func (s Session) WaitClosed(ctx context.Context) (string, error) { return s.browser.WaitClosed(ctx) }
