package remotebrowser

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/remote-browser/remote-browser-service/clients/go/internal/generated"
)

// How long a Close may take when its context has already ended.
const closeGrace = 10 * time.Second

// Browser is an open browser. It is safe for concurrent use.
type Browser struct {
	client *Client
	// A pointer, because fmt doesn't call Format on a Browser in an unexported field.
	address *string
	// Set when a Close succeeds.
	isClosed *atomic.Bool
}

// Address is the WebSocket URL for DevTools libraries. Keep it secret: it gives full control of the
// browser. It is valid until the browser ends.
func (b *Browser) Address() string { return *b.address }

// Close closes the browser and deletes its pages, cookies and downloads. It succeeds if the browser has
// already ended, so you can call it twice. The second call sends nothing.
//
// Close works even if ctx has already ended, so that `defer browser.Close(ctx)` always closes the browser.
// In that case it takes up to 10 seconds. If ctx ends while Close is waiting, Close returns.
func (b *Browser) Close(ctx context.Context) error {
	if b.isClosed.Load() {
		return nil
	}
	if ctx.Err() != nil {
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeGrace)
		defer cancel()
		ctx = grace
	}
	reference := b.reference()
	_, err := call(ctx, b.client, opClose, func(ctx context.Context) (*generated.CloseResult, *http.Response, error) {
		return b.client.core.BrowserAPI.CloseBrowser(ctx).BrowserReference(reference).Execute()
	})
	var ended *BrowserNotFoundError
	if err != nil && !errors.As(err, &ended) {
		return err
	}
	b.isClosed.Store(true)
	return nil
}

// StartDesktop starts the browser's remote desktop and returns its URLs and passwords. If the desktop is
// already running, they stay the same. For a headless browser, the error is a [*DesktopUnavailableError].
func (b *Browser) StartDesktop(ctx context.Context) (*Desktop, error) {
	reference := b.reference()
	answer, err := call(ctx, b.client, opStart,
		func(ctx context.Context) (*generated.StartRemoteDesktopResult, *http.Response, error) {
			return b.client.core.RemoteDesktopAPI.StartRemoteDesktop(ctx).BrowserReference(reference).Execute()
		})
	if err != nil {
		return nil, err
	}
	desktop, err := toDesktop(answer)
	if err != nil {
		return nil, b.client.invalid(opStart, err)
	}
	return &desktop, nil
}

// StopDesktop stops the browser's remote desktop and disconnects its viewers. It succeeds if the desktop is
// already stopped.
func (b *Browser) StopDesktop(ctx context.Context) error {
	reference := b.reference()
	_, err := call(ctx, b.client, opStop,
		func(ctx context.Context) (*generated.StopRemoteDesktopResult, *http.Response, error) {
			return b.client.core.RemoteDesktopAPI.StopRemoteDesktop(ctx).BrowserReference(reference).Execute()
		})
	return err
}

func (b *Browser) reference() generated.BrowserReference {
	return *generated.NewBrowserReference(*b.address)
}
