package remotebrowser

import "time"

// BackoffAfter exports backoffAfter for tests.
var BackoffAfter = backoffAfter

// WithConnectTimeout sets the connect timeout, so that tests need not wait long.
func WithConnectTimeout(timeout time.Duration) Option {
	return func(s *settings) error {
		s.connectTimeout = timeout
		return nil
	}
}

// Facts returns the session without what its methods act on, for comparisons.
func (s Session) Facts() Session {
	s.browser = nil
	return s
}
