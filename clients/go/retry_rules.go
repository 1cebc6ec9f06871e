package remotebrowser

// retryRule determines whether a request that failed with an error of the contract is retried.
type retryRule int

const (
	// A retry would fail in the same way.
	never retryRule = iota
	// The error is temporary if the response has Retry-After. Without Retry-After, a retry would fail in the same
	// way, for example because the requested browser is not installed.
	withRetryAfter
)

// contractError is an error in the contract. The package doesn't compile unless each error has a retry rule below.
type contractError interface {
	error
	retryRule() retryRule
}

func (*AuthorizationError) retryRule() retryRule        { return never }
func (*BadRequestError) retryRule() retryRule           { return never }
func (*BrowserLimitError) retryRule() retryRule         { return never }
func (*BrowserNotFoundError) retryRule() retryRule      { return never }
func (*BrowserUnavailableError) retryRule() retryRule   { return withRetryAfter }
func (*DesktopUnavailableError) retryRule() retryRule   { return never }
func (*IdempotencyKeyInUseError) retryRule() retryRule  { return withRetryAfter }
func (*IdempotencyKeyReusedError) retryRule() retryRule { return never }
func (*MethodNotAllowedError) retryRule() retryRule     { return never }
func (*NoSubscriptionError) retryRule() retryRule       { return never }
func (*NotFoundError) retryRule() retryRule             { return never }
func (*NoUnitsError) retryRule() retryRule              { return never }
func (*PayloadTooLargeError) retryRule() retryRule      { return never }
func (*ProviderError) retryRule() retryRule             { return never }
func (*ProviderUnavailableError) retryRule() retryRule  { return withRetryAfter }
func (*ResponseRefusedError) retryRule() retryRule      { return never }
func (*TooManyRequestsError) retryRule() retryRule      { return withRetryAfter }
func (*UnknownError) retryRule() retryRule              { return never }
func (*UnsupportedMediaTypeError) retryRule() retryRule { return never }
