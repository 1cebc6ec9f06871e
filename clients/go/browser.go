package remotebrowser

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/remote-browser/remote-browser-service/clients/go/internal/generated"
)

// The timeout of Close if its context has already ended.
const closeGrace = 10 * time.Second

// Browser is a handle for a browser. It is safe for concurrent use.
type Browser struct {
	client *Client
	// A pointer, because fmt doesn't call Format on a Browser in an unexported field. Empty if the handle only
	// has an id.
	address *string
	// Empty if the handle only has an address.
	id string
	// Whether a Close has succeeded.
	isClosed *atomic.Bool
}

// Address returns the WebSocket URL for DevTools libraries, which is valid until the browser ends. Treat it as a
// secret: anyone who has it can control the browser. It is empty for a handle from [Client.BrowserByID].
func (b *Browser) Address() string { return *b.address }

// ID returns the id that identifies the browser in the history and in logs. It is not a secret. It is empty for a
// handle from [Client.Browser], and if the service has contract version 1.0.
func (b *Browser) ID() string { return b.id }

// Info returns the record of an open or ended browser: its state, the reason for its end, and what it has
// consumed. If the service no longer keeps an ended browser's record, the error is a [*BrowserNotFoundError].
// With contract version 1.0, the error is a [*NotFoundError].
func (b *Browser) Info(ctx context.Context) (*BrowserRecord, error) {
	answer, err := call(ctx, b.client, opInfo, generated.GetBrowserInfo, b.byID())
	return b.client.toRecord(opInfo, answer, err)
}

// Update changes the inactivity period, the lifetime, the label or the tags of an open browser, and returns its
// record with the new values. Options that are nil stay unchanged. If the browser has ended, the error is a
// [*BrowserNotFoundError]. Update requires contract version 1.1.
func (b *Browser) Update(ctx context.Context, changes UpdateOptions) (*BrowserRecord, error) {
	request := changes.toCore()
	reference := b.byID()
	request.Address, request.Id = reference.Address, reference.Id
	answer, err := call(ctx, b.client, opUpdate, generated.UpdateBrowser, request)
	return b.client.toRecord(opUpdate, answer, err)
}

// Screenshot takes a picture of an open browser: the whole screen, or the visible part of the front page if the
// browser is headless. Pages and clients can't detect it. If the browser has ended, the error is a
// [*BrowserNotFoundError]. If the service can't take a picture, for example because the browser shows no page,
// the error is a [*BrowserUnavailableError]. Screenshot requires contract version 1.1.
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

// ScreenshotImage returns the bytes of the same picture as a PNG or JPEG file. It is a preview, which services may
// lack and later versions may change. If the service doesn't offer it, the error is a [*NotFoundError].
func (b *Browser) ScreenshotImage(ctx context.Context) ([]byte, error) {
	id := b.id
	if id == "" {
		record, err := b.Info(ctx)
		if err != nil {
			return nil, err
		}
		id = record.ID
	}
	image, err := call(ctx, b.client, opImage, generated.TakeScreenshotImage, generated.Query{"id": id})
	if err != nil {
		return nil, err
	}
	return *image, nil
}

// Close closes the browser and deletes its pages, cookies and downloads. It succeeds if the browser has already
// ended. After Close has succeeded, further calls send no request.
//
// If ctx has already ended, Close ignores it and takes up to 10 seconds, so that `defer browser.Close(ctx)`
// always closes the browser. If ctx ends during Close, Close returns.
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

// StartDesktop starts the browser's remote desktop and returns its URLs and passwords. If the desktop is already
// running, the URLs and passwords stay the same. If the browser is headless, the error is a
// [*DesktopUnavailableError].
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

// reference returns the address if the handle has one, because services of every contract version accept it.
func (b *Browser) reference() generated.BrowserReference {
	if *b.address != "" {
		return generated.BrowserReference{Address: b.address}
	}
	return generated.BrowserReference{Id: &b.id}
}

// byID returns the id if the handle has one, because an id also refers to a browser that has ended.
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
