package remotebrowser

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/remote-browser/remote-browser-service/clients/go/internal/generated"
)

// Client is a client for one account of a Remote Browser Service. It is safe for concurrent use, and you don't
// have to close it.
type Client struct {
	settings settings
	http     *http.Client
	// Whether the service has proved contract version 1.1, and so opens one browser per key.
	hasKeys *atomic.Bool
}

// NewClient creates a client without sending a request. By default, it reads the service's URL from RBS_URL and
// the token from RBS_TOKEN. If settings are invalid, the error lists all of them.
func NewClient(options ...Option) (*Client, error) {
	read, err := readSettings(options)
	if err != nil {
		return nil, err
	}
	return &Client{settings: read, http: newHTTPClient(read.httpClient), hasKeys: &atomic.Bool{}}, nil
}

// Open opens a browser, and returns when it is ready for its first DevTools command. Options that are nil have
// the service's defaults, and so do all options if options is nil.
//
// If the response is lost, the client repeats the request, and the service still opens only one browser. With
// contract version 1.0, Open fails instead, because the service may have opened the browser. WaitForPlace extends
// the timeout of each attempt. If you cancel ctx before Open returns, the service closes the browser. With
// contract version 1.1, it does so after 30 seconds, because the request can be repeated until then.
//
// Close the browser when you no longer need it. An open browser counts towards the account's limit and costs
// units.
func (c *Client) Open(ctx context.Context, options *OpenOptions) (*Browser, error) {
	key := make([]byte, 16)
	if _, err := rand.Read(key); err != nil {
		return nil, fmt.Errorf("remotebrowser: open: there are no random numbers for a key: %w", err)
	}
	return c.open(ctx, hex.EncodeToString(key), options)
}

// OpenWithKey is like [Client.Open], but uses your own key. All calls with the same key and options return the
// same browser until 24 hours after its end, even if your program restarts in between. The key has 1 to 255
// visible ASCII characters. Services of contract version 1.0 ignore it.
func (c *Client) OpenWithKey(ctx context.Context, key string, options *OpenOptions) (*Browser, error) {
	if err := checkKey(key); err != nil {
		return nil, err
	}
	return c.open(ctx, key, options)
}

func (c *Client) open(ctx context.Context, key string, options *OpenOptions) (*Browser, error) {
	if options == nil {
		options = &OpenOptions{}
	}
	op := opOpen
	op.key = &key
	if options.WaitForPlace != nil {
		op.mayWait = *options.WaitForPlace
	}
	answer, err := call(ctx, c, op, generated.OpenBrowser, options.toCore())
	if err != nil {
		return nil, err
	}
	if answer.Address == "" {
		return nil, c.invalid(opOpen, errors.New("it has no address"))
	}
	// Version 1.0 opens browsers without an id.
	id := orZero(answer.Id)
	if id != "" {
		c.hasKeys.Store(true)
	}
	return c.attach(answer.Address, id), nil
}

// Browser returns a handle for an open browser without sending a request. The address can come from [Client.List]
// or from another program. An empty or blank address is an error.
func (c *Client) Browser(address string) (*Browser, error) {
	if strings.TrimSpace(address) == "" {
		return nil, errors.New("remotebrowser: the browser's address is empty: pass an address from Open or List")
	}
	return c.attach(address, ""), nil
}

// BrowserByID returns a handle for an open or ended browser without sending a request. The id can come from
// [Browser.ID], [Client.List] or [Client.History]. An empty or blank id is an error. The handle requires contract
// version 1.1.
func (c *Client) BrowserByID(id string) (*Browser, error) {
	if strings.TrimSpace(id) == "" {
		return nil, errors.New("remotebrowser: the browser's id is empty: pass an id from Open, List or History")
	}
	return c.attach("", id), nil
}

func (c *Client) attach(address, id string) *Browser {
	return &Browser{client: c, address: &address, id: id, isClosed: &atomic.Bool{}}
}

// List lists the account's open browsers, oldest first.
func (c *Client) List(ctx context.Context) ([]Session, error) {
	answer, err := call(ctx, c, opList, generated.GetBrowsers, generated.Nothing{})
	if err != nil {
		return nil, err
	}
	if answer.Sessions == nil {
		return nil, c.invalid(opList, errors.New("it has no sessions"))
	}
	sessions := make([]Session, len(answer.Sessions))
	for index := range answer.Sessions {
		if sessions[index], err = toSession(&answer.Sessions[index]); err != nil {
			return nil, c.invalid(opList, err)
		}
		sessions[index].browser = c.attach(sessions[index].Address, sessions[index].ID)
	}
	return sessions, nil
}

// CloseAll closes all open browsers of the account, and returns the number that the last attempt closed. Browsers
// that are being opened during the call may stay open. CloseAll requires contract version 1.1.
func (c *Client) CloseAll(ctx context.Context) (int, error) {
	return c.closeAll(ctx, generated.CloseAllRequest{All: Ptr(true)})
}

// CloseAllByLabel is like [Client.CloseAll], but only closes browsers with a label.
func (c *Client) CloseAllByLabel(ctx context.Context, label string) (int, error) {
	return c.closeAll(ctx, generated.CloseAllRequest{Label: &label})
}

// CloseAllByTag is like [Client.CloseAll], but only closes browsers with a tag.
func (c *Client) CloseAllByTag(ctx context.Context, tag string) (int, error) {
	return c.closeAll(ctx, generated.CloseAllRequest{Tag: &tag})
}

func (c *Client) closeAll(ctx context.Context, request generated.CloseAllRequest) (int, error) {
	answer, err := call(ctx, c, opCloseAll, generated.CloseAllBrowsers, request)
	if err != nil {
		return 0, err
	}
	return int(answer.Closed), nil
}

// Account returns the account's plan, its limits, and this month's usage. It requires contract version 1.1.
func (c *Client) Account(ctx context.Context) (*AccountInfo, error) {
	answer, err := call(ctx, c, opAccount, generated.GetAccount, generated.Nothing{})
	if err != nil {
		return nil, err
	}
	account, err := toAccountInfo(answer)
	if err != nil {
		return nil, c.invalid(opAccount, err)
	}
	return &account, nil
}
