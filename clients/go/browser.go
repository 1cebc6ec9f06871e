package remotebrowser

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/remote-browser/remote-browser-service/clients/go/internal/generated"
)

// How long a Close whose context has ended already may still take.
const closeGrace = 10 * time.Second

// Browser is an open browser. It may be used by several goroutines at once.
type Browser struct {
	client *Client
	// A pointer, since a Browser in a struct's unexported field is printed without Format.
	address *string
	// Set for good by a Close that succeeded.
	isClosed *atomic.Bool
}

// Address is where DevTools libraries connect to, unchanged. It is a secret: whoever has it drives
// the browser. It dies with the browser.
func (b *Browser) Address() string { return *b.address }

// Close closes the browser; pages, cookies and downloads are gone. A browser that has ended already,
// by whatever cause, is no error, so closing twice is fine; the second
// time, nothing is sent.
//
// Close reaches the service even when ctx has ended before, so that `defer browser.Close(ctx)` leaves
// no browser open; it then takes 10 seconds at most. A ctx that ends while Close waits ends it.
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

// StartDesktop starts the browser's remote desktop and returns the ways to it; of one that is started
// already, the same ones again. A headless browser has none: [*DesktopUnavailableError].
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

// StopDesktop stops the browser's remote desktop and disconnects its viewers; when it is stopped
// already, nothing changes.
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
