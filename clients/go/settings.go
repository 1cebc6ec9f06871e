package remotebrowser

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"
)

const (
	defaultURL          = "http://127.0.0.1:8080"
	defaultTimeout      = 90 * time.Second
	defaultTotalTimeout = 300 * time.Second
	defaultRetries      = 2

	// The timeout for connecting, which is part of the timeouts above.
	connectTimeout = 10 * time.Second
)

// Option is a setting of a [Client].
type Option func(*settings) error

type settings struct {
	url            *string
	token          *string
	timeout        time.Duration
	totalTimeout   time.Duration
	connectTimeout time.Duration
	retries        int
	headers        map[string]string
	httpClient     *http.Client
}

// WithURL sets the service's URL, for example https://browsers.example.com, including a path prefix. The default is
// the environment variable RBS_URL, or else http://127.0.0.1:8080.
func WithURL(url string) Option {
	return func(s *settings) error {
		s.url = &url
		return nil
	}
}

// WithToken sets the account's token. The default is the environment variable RBS_TOKEN.
func WithToken(token string) Option {
	return func(s *settings) error {
		s.token = &token
		return nil
	}
}

// WithTimeout sets the timeout for one attempt of a call, from connecting to the last byte of the response. It
// doesn't apply to queries. The default is 90 seconds.
func WithTimeout(timeout time.Duration) Option {
	return func(s *settings) error {
		s.timeout = timeout
		return refuseUnlessPositive("timeout", timeout)
	}
}

// WithTotalTimeout sets the timeout for a call, including all attempts and the pauses between them. The default is
// 300 seconds.
func WithTotalTimeout(timeout time.Duration) Option {
	return func(s *settings) error {
		s.totalTimeout = timeout
		return refuseUnlessPositive("total timeout", timeout)
	}
}

// WithRetries sets the maximum number of retries of a call, where retrying is safe. See the package documentation.
// The default is 2. 0 disables retries.
func WithRetries(retries int) Option {
	return func(s *settings) error {
		s.retries = retries
		if retries < 0 {
			return fmt.Errorf("retries must not be negative, but are %d", retries)
		}
		return nil
	}
}

// WithHeader adds a header to every request, or replaces the User-Agent. Other headers that the client sets itself
// are an error, and so are Idempotency-Key and X-Idempotency-Key, which would make [net/http.Transport] retry
// requests.
func WithHeader(name, value string) Option {
	return func(s *settings) error {
		s.headers[http.CanonicalHeaderKey(name)] = value
		return checkHeader(name, value)
	}
}

// WithHTTPClient sets the HTTP client, for example to use a proxy or your own certificates. The client uses a copy
// that never follows redirects. If its transport is an [*net/http.Transport], the copy opens a new connection for
// each request.
func WithHTTPClient(client *http.Client) Option {
	return func(s *settings) error {
		s.httpClient = client
		if client == nil {
			return errors.New("the HTTP client is nil: leave out WithHTTPClient to use the default")
		}
		return nil
	}
}

func refuseUnlessPositive(what string, value time.Duration) error {
	if value <= 0 {
		return fmt.Errorf("the %s must be more than 0, but is %v", what, value)
	}
	return nil
}

// readSettings returns all mistakes as one error.
func readSettings(options []Option) (settings, error) {
	read := settings{
		timeout:        defaultTimeout,
		totalTimeout:   defaultTotalTimeout,
		connectTimeout: connectTimeout,
		retries:        defaultRetries,
		headers:        map[string]string{},
		httpClient:     &http.Client{},
	}
	var mistakes []error
	for _, option := range options {
		mistakes = append(mistakes, option(&read))
	}
	url := valueOr(read.url, "RBS_URL", defaultURL)
	token := valueOr(read.token, "RBS_TOKEN", "")
	read.url, read.token = &url, &token
	mistakes = append(mistakes, checkURL(url), checkToken(token))
	if err := errors.Join(mistakes...); err != nil {
		return read, fmt.Errorf("remotebrowser: %w", err)
	}
	return read, nil
}

func valueOr(given *string, variable, fallback string) string {
	if given != nil {
		return *given
	}
	if value := os.Getenv(variable); value != "" {
		return value
	}
	return fallback
}
