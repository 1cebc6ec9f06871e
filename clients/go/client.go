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

// Client is a client for one account of a Remote Browser Service. It is safe for concurrent use, and you
// don't have to close it.
type Client struct {
	settings settings
	http     *http.Client
	// Whether the service has shown contract version 1.1, and so opens one browser for each key.
	hasKeys *atomic.Bool
}

// NewClient creates a client. It sends nothing. Without options, the service's URL comes from RBS_URL and
// the token from RBS_TOKEN. If settings are invalid, the error names all of them.
func NewClient(options ...Option) (*Client, error) {
	read, err := readSettings(options)
	if err != nil {
		return nil, err
	}
	return &Client{settings: read, http: newHTTPClient(read.httpClient), hasKeys: &atomic.Bool{}}, nil
}

// Open opens a browser, and returns when it is ready for its first DevTools command. The service chooses
// the default for each option that is nil, and for all of them if options is nil. If you cancel ctx before
// Open returns, the service closes the browser: with contract version 1.1 after 30 seconds, because the
// request could be repeated until then. If the response is lost, the client sends the request again, and the
// service still opens only one browser. With contract version 1.0, Open fails instead, because the browser
// may have been opened. With WaitForPlace, each attempt may take that much longer than [WithTimeout] says.
//
// Close the browser when you no longer need it. Until then, or until the service closes it, it counts
// towards the account's limit and costs units.
func (c *Client) Open(ctx context.Context, options *OpenOptions) (*Browser, error) {
	key := make([]byte, 16)
	if _, err := rand.Read(key); err != nil {
		return nil, fmt.Errorf("remotebrowser: open: there are no random numbers for a key: %w", err)
	}
	return c.open(ctx, hex.EncodeToString(key), options)
}

// OpenWithKey opens a browser as [Client.Open] does, with a key of your own. All calls with the same key and
// the same options return the same browser, until 24 hours after its end, for example after your program was
// restarted. The key has 1 to 255 visible ASCII characters. Services of contract version 1.0 ignore it.
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

// Browser returns a handle for an open browser from its address, which comes from [Client.List] or from
// another program. It sends nothing, and fails only if the address is empty or blank.
func (c *Client) Browser(address string) (*Browser, error) {
	if strings.TrimSpace(address) == "" {
		return nil, errors.New("remotebrowser: the browser's address is empty: pass an address from Open or List")
	}
	return c.attach(address, ""), nil
}

// BrowserByID returns a handle for a browser, open or ended, from its id, which comes from [Browser.ID],
// [Client.List] or [Client.History]. It sends nothing, and fails only if the id is empty or blank. It needs
// contract version 1.1.
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

// CloseAll closes all open browsers of the account, and returns how many. Browsers that are being opened
// during the call may stay open. If the call was retried, browsers that earlier attempts closed are not counted.
// It needs contract version 1.1.
func (c *Client) CloseAll(ctx context.Context) (int, error) {
	return c.closeAll(ctx, generated.CloseAllRequest{All: Ptr(true)})
}

// CloseAllByLabel closes the open browsers that have a label, as [Client.CloseAll] does for all of them.
func (c *Client) CloseAllByLabel(ctx context.Context, label string) (int, error) {
	return c.closeAll(ctx, generated.CloseAllRequest{Label: &label})
}

// CloseAllByTag closes the open browsers that have a tag, as [Client.CloseAll] does for all of them.
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

// Account returns the account's plan, its limits, and what it has used in this month. It needs contract
// version 1.1.
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
