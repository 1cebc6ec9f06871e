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

	// What making a connection may take; the answer has the time-outs above.
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

// WithURL says where the service is, for example https://browsers.example.com; a path is kept as a
// prefix of every request's. Without it, it is the environment variable RBS_URL, or else
// http://127.0.0.1:8080.
func WithURL(url string) Option {
	return func(s *settings) error {
		s.url = &url
		return nil
	}
}

// WithToken sets the account's token. Without it, it is the environment variable RBS_TOKEN.
func WithToken(token string) Option {
	return func(s *settings) error {
		s.token = &token
		return nil
	}
}

// WithTimeout bounds one attempt of a call, from connecting to the last byte of the answer. Without
// it, it is 90 seconds. Queries are bounded by [WithTotalTimeout] only.
func WithTimeout(timeout time.Duration) Option {
	return func(s *settings) error {
		s.timeout = timeout
		return refuseUnlessPositive("timeout", timeout)
	}
}

// WithTotalTimeout bounds a call with all its attempts and the waits between them. Without it, it is
// 300 seconds.
func WithTotalTimeout(timeout time.Duration) Option {
	return func(s *settings) error {
		s.totalTimeout = timeout
		return refuseUnlessPositive("total timeout", timeout)
	}
}

// WithRetries says how often a call may repeat its request, see the package's documentation. Without
// it, it is 2; 0 means never.
func WithRetries(retries int) Option {
	return func(s *settings) error {
		s.retries = retries
		if retries < 0 {
			return fmt.Errorf("retries may not be negative, but are %d", retries)
		}
		return nil
	}
}

// WithHeader adds a header to every request, or replaces the User-Agent. Other headers that the client
// writes itself are refused, and so are Idempotency-Key and X-Idempotency-Key, which would make [net/http.Transport] send requests
// again on its own.
func WithHeader(name, value string) Option {
	return func(s *settings) error {
		s.headers[http.CanonicalHeaderKey(name)] = value
		return checkHeader(name, value)
	}
}

// WithHTTPClient sends requests by a copy of an HTTP client of yours, for example one with a proxy or
// certificates of its own. Redirects are not followed, whatever it says. The copy of an
// [*net/http.Transport] makes a new connection for each request, as the client's own transport does.
func WithHTTPClient(client *http.Client) Option {
	return func(s *settings) error {
		s.httpClient = client
		if client == nil {
			return errors.New("the HTTP client is nil: leave WithHTTPClient out to get one")
		}
		return nil
	}
}

func refuseUnlessPositive(what string, value time.Duration) error {
	if value <= 0 {
		return fmt.Errorf("the %s has to be longer than nothing, but is %v", what, value)
	}
	return nil
}

// readSettings reports every mistake together.
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
