package remotebrowser

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/remote-browser/remote-browser-service/clients/go/internal/generated"
)

const userAgent = "User-Agent"

// Client is a client for one account of a Remote Browser Service. It is safe for concurrent use, and you
// don't have to close it.
type Client struct {
	settings settings
	core     *generated.APIClient
}

// NewClient creates a client. It sends nothing. Without options, the service's URL comes from RBS_URL and
// the token from RBS_TOKEN. If settings are invalid, the error names all of them.
func NewClient(options ...Option) (*Client, error) {
	read, err := readSettings(options)
	if err != nil {
		return nil, err
	}
	configuration := generated.NewConfiguration()
	configuration.Servers = generated.ServerConfigurations{{URL: strings.TrimRight(*read.url, "/")}}
	configuration.UserAgent = "remote-browser-go/" + version
	configuration.DefaultHeader = maps.Clone(read.headers)
	// Otherwise the core would also send its own.
	if name, ok := read.headers[userAgent]; ok {
		configuration.UserAgent = name
		delete(configuration.DefaultHeader, userAgent)
	}
	configuration.HTTPClient = newHTTPClient(read.httpClient)
	return &Client{settings: read, core: generated.NewAPIClient(configuration)}, nil
}

// Open opens a browser, and returns when it is ready for its first DevTools command. The service chooses
// the default for each option that is nil, and for all of them if options is nil. If you cancel ctx before
// Open returns, the service closes the browser.
//
// Close the browser when you no longer need it. Until then, or until the service closes it, it counts
// towards the account's limit and costs units.
func (c *Client) Open(ctx context.Context, options *OpenOptions) (*Browser, error) {
	if options == nil {
		options = &OpenOptions{}
	}
	model := options.toCore()
	answer, err := call(ctx, c, opOpen, func(ctx context.Context) (*generated.OpenResult, *http.Response, error) {
		return c.core.BrowserAPI.OpenBrowser(ctx).OpenOptions(model).Execute()
	})
	if err != nil {
		return nil, err
	}
	if answer.Address == "" {
		return nil, c.invalid(opOpen, errors.New("it has no address"))
	}
	return c.attach(answer.Address), nil
}

// Browser returns a handle for an open browser from its address, which comes from [Client.List] or from
// another program. It sends nothing, and fails only if the address is empty or blank.
func (c *Client) Browser(address string) (*Browser, error) {
	if strings.TrimSpace(address) == "" {
		return nil, errors.New("remotebrowser: the browser's address is empty: pass an address from Open or List")
	}
	return c.attach(address), nil
}

func (c *Client) attach(address string) *Browser {
	return &Browser{client: c, address: &address, isClosed: &atomic.Bool{}}
}

// List lists the account's open browsers, oldest first.
func (c *Client) List(ctx context.Context) ([]Session, error) {
	answer, err := call(ctx, c, opList, func(ctx context.Context) (*generated.SessionList, *http.Response, error) {
		return c.core.BrowserAPI.GetBrowsers(ctx).Execute()
	})
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
	}
	return sessions, nil
}
