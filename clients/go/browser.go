package remotebrowser

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/remote-browser/remote-browser-service/clients/go/internal/generated"
)

// How long a Close may take when its context has already ended.
const closeGrace = 10 * time.Second

// Browser is a handle for a browser. It is safe for concurrent use.
type Browser struct {
	client *Client
	// A pointer, because fmt doesn't call Format on a Browser in an unexported field. Empty if only the id is
	// known.
	address *string
	// Empty if only the address is known.
	id string
	// Set when a Close succeeds.
	isClosed *atomic.Bool
}

// Address is the WebSocket URL for DevTools libraries. Keep it secret: it gives full control of the
// browser. It is valid until the browser ends. It is empty for a handle from [Client.BrowserByID].
func (b *Browser) Address() string { return *b.address }

// ID identifies the browser in the history, in logs and in questions to the operator. It is not a secret. It
// is empty for a handle from [Client.Browser], and if the service has contract version 1.0.
func (b *Browser) ID() string { return b.id }

// Info returns the browser's record, even after it has ended: its state, why it ended, and what it has
// consumed. It needs contract version 1.1; otherwise the error is a [*NotFoundError]. If the service doesn't
// keep the record of the ended browser any more, the error is a [*BrowserNotFoundError].
func (b *Browser) Info(ctx context.Context) (*BrowserRecord, error) {
	answer, err := call(ctx, b.client, opInfo, generated.GetBrowserInfo, b.byID())
	return b.client.toRecord(opInfo, answer, err)
}

// Update changes the inactivity period, the lifetime, the label or the tags of the open browser, and returns
// its record with the new values. Values that are nil stay as they are. It needs contract version 1.1. If the
// browser has ended, the error is a [*BrowserNotFoundError].
func (b *Browser) Update(ctx context.Context, changes UpdateOptions) (*BrowserRecord, error) {
	request := changes.toCore()
	reference := b.byID()
	request.Address, request.Id = reference.Address, reference.Id
	answer, err := call(ctx, b.client, opUpdate, generated.UpdateBrowser, request)
	return b.client.toRecord(opUpdate, answer, err)
}

// Screenshot takes a picture of what the open browser shows now: the whole screen of a browser with a graphical
// interface, and the visible part of the front page of a headless one. Its pages and clients don't notice it. It
// needs contract version 1.1. If the browser has ended, the error is a [*BrowserNotFoundError]; if it shows
// nothing that a picture could be taken of, a [*BrowserUnavailableError].
func (b *Browser) Screenshot(ctx context.Context) (*Screenshot, error) {
	answer, err := call(ctx, b.client, opScreenshot, generated.TakeScreenshot, b.byID())
	if err != nil {
		return nil, err
	}
	screenshot, err := toScreenshot(answer)
	if err != nil {
		return nil, b.client.invalid(opScreenshot, err)
	}
	return &screenshot, nil
}

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
	_, err := call(ctx, b.client, opClose, generated.CloseBrowser, b.reference())
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
	answer, err := call(ctx, b.client, opStart, generated.StartRemoteDesktop, b.reference())
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
	_, err := call(ctx, b.client, opStop, generated.StopRemoteDesktop, b.reference())
	return err
}

// reference refers to the browser by its address if that is known, because services of every version know
// addresses.
func (b *Browser) reference() generated.BrowserReference {
	if *b.address != "" {
		return generated.BrowserReference{Address: b.address}
	}
	return generated.BrowserReference{Id: &b.id}
}

// byID returns the address or the id for a request. An id also refers to a browser that has ended.
func (b *Browser) byID() generated.BrowserReference {
	if b.id != "" {
		return generated.BrowserReference{Id: &b.id}
	}
	return generated.BrowserReference{Address: b.address}
}

func (c *Client) toRecord(op operation, answer *generated.BrowserRecord, err error) (*BrowserRecord, error) {
	if err != nil {
		return nil, err
	}
	record, err := toBrowserRecord(answer)
	if err != nil {
		return nil, c.invalid(op, err)
	}
	return &record, nil
}
