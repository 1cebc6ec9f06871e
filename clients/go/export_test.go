package remotebrowser

import "time"

// BackoffAfter is what a call waits when nobody said how long.
var BackoffAfter = backoffAfter

// WithConnectTimeout shortens what connecting may take: tests do not wait that long.
func WithConnectTimeout(timeout time.Duration) Option {
	return func(s *settings) error {
		s.connectTimeout = timeout
		return nil
	}
}
