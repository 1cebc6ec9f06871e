package remotebrowser

// retryRule says whether a request that the service refused is sent again.
type retryRule int

const (
	// Asking again would be answered in the same way.
	never retryRule = iota
	// The refusal passes, and the answer says by its Retry-After when to ask again. Without one, asking
	// again would not help: a kind of browser that is not installed, for example.
	whenTold
)

// contractError is an error that the contract names. Each type decides here, by hand, whether it is
// repeated; a type that has not been decided about does not compile.
type contractError interface {
	error
	retryRule() retryRule
}

func (*AuthorizationError) retryRule() retryRule        { return never }
func (*BadRequestError) retryRule() retryRule           { return never }
func (*BrowserLimitError) retryRule() retryRule         { return never }
func (*BrowserNotFoundError) retryRule() retryRule      { return never }
func (*BrowserUnavailableError) retryRule() retryRule   { return whenTold }
func (*DesktopUnavailableError) retryRule() retryRule   { return never }
func (*MethodNotAllowedError) retryRule() retryRule     { return never }
func (*NoSubscriptionError) retryRule() retryRule       { return never }
func (*NotFoundError) retryRule() retryRule             { return never }
func (*NoUnitsError) retryRule() retryRule              { return never }
func (*PayloadTooLargeError) retryRule() retryRule      { return never }
func (*ProviderError) retryRule() retryRule             { return never }
func (*ProviderUnavailableError) retryRule() retryRule  { return whenTold }
func (*ResponseRefusedError) retryRule() retryRule      { return never }
func (*TooManyRequestsError) retryRule() retryRule      { return whenTold }
func (*UnknownError) retryRule() retryRule              { return never }
func (*UnsupportedMediaTypeError) retryRule() retryRule { return never }
