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

// Client asks a Remote Browser Service, on behalf of one account. It may be used by several
// goroutines at once, and needs no closing.
type Client struct {
	settings settings
	core     *generated.APIClient
}

// NewClient makes a client; it sends nothing. Without options it takes the service's URL from RBS_URL
// and the token from RBS_TOKEN. It fails when a setting cannot be used, and names every one that
// cannot.
func NewClient(options ...Option) (*Client, error) {
	read, err := readSettings(options)
	if err != nil {
		return nil, err
	}
	configuration := generated.NewConfiguration()
	configuration.Servers = generated.ServerConfigurations{{URL: strings.TrimRight(*read.url, "/")}}
	configuration.UserAgent = "remote-browser-go/" + version
	configuration.DefaultHeader = maps.Clone(read.headers)
	// The core would send its own beside it.
	if name, ok := read.headers[userAgent]; ok {
		configuration.UserAgent = name
		delete(configuration.DefaultHeader, userAgent)
	}
	configuration.HTTPClient = newHTTPClient(read.httpClient)
	return &Client{settings: read, core: generated.NewAPIClient(configuration)}, nil
}

// Open opens a browser, and returns once it is ready for its first DevTools command. Options that are
// nil, or nil altogether, are left to the service. Cancelling ctx before that undoes it.
//
// Close the browser when it is no longer needed: until it closes by itself, it counts towards the
// account's limit and costs units.
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

// Browser is a handle on a browser that is open already, by its address: one of [Client.List], or one
// that another program opened. It sends nothing, and fails only when the address is empty or blank.
func (c *Client) Browser(address string) (*Browser, error) {
	if strings.TrimSpace(address) == "" {
		return nil, errors.New("remotebrowser: the address of the browser is empty: give one that Open or List returned")
	}
	return c.attach(address), nil
}

func (c *Client) attach(address string) *Browser {
	return &Browser{client: c, address: &address, isClosed: &atomic.Bool{}}
}

// List lists the account's browsers that are open now, those that were opened first coming first.
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
