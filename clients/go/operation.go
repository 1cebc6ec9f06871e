package remotebrowser

import "time"

// operation is an operation of the contract, with its rules for retries and timeouts.
type operation struct {
	// For error messages.
	name string
	// It can be retried even if the service may have carried it out.
	isIdempotent bool
	// Its Idempotency-Key. With one, the same is true if the service has contract version 1.1.
	key *string
	// How long the service was asked to wait before it responds. An attempt may take that much longer.
	mayWait time.Duration
	// A language model may take minutes, so only the total timeout applies.
	isLong bool
}

var (
	opOpen    = operation{name: "open"}
	opClose   = operation{name: "close", isIdempotent: true}
	opList    = operation{name: "list", isIdempotent: true}
	opInfo    = operation{name: "info", isIdempotent: true}
	opHistory = operation{name: "history", isIdempotent: true}
	opWait    = operation{name: "wait", isIdempotent: true}
	// The new values are absolute.
	opUpdate     = operation{name: "update", isIdempotent: true}
	opCloseAll   = operation{name: "close all", isIdempotent: true}
	opAccount    = operation{name: "account", isIdempotent: true}
	opScreenshot = operation{name: "screenshot", isIdempotent: true}
	opStart      = operation{name: "start desktop", isIdempotent: true}
	opStop       = operation{name: "stop desktop", isIdempotent: true}
	opQuery      = operation{name: "query", isLong: true}
)
