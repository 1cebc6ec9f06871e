package remotebrowser

import "time"

// operation is an operation of the contract with its retry and timeout rules.
type operation struct {
	// The name in error messages.
	name string
	// Whether it can be retried even if the service may have carried it out.
	isIdempotent bool
	// Its Idempotency-Key, which makes it idempotent with contract version 1.1.
	key *string
	// How long the service may delay its response, which extends the timeout of an attempt.
	mayWait time.Duration
	// Whether only the total timeout applies: a language model may take minutes.
	isLong bool
}

var (
	opOpen    = operation{name: "open"}
	opClose   = operation{name: "close", isIdempotent: true}
	opList    = operation{name: "list", isIdempotent: true}
	opInfo    = operation{name: "info", isIdempotent: true}
	opHistory = operation{name: "history", isIdempotent: true}
	opWait    = operation{name: "wait", isIdempotent: true}
	// The new values are absolute, so a repetition changes nothing.
	opUpdate     = operation{name: "update", isIdempotent: true}
	opCloseAll   = operation{name: "close all", isIdempotent: true}
	opAccount    = operation{name: "account", isIdempotent: true}
	opScreenshot = operation{name: "screenshot", isIdempotent: true}
	opImage      = operation{name: "screenshot image", isIdempotent: true}
	opStart      = operation{name: "start desktop", isIdempotent: true}
	opStop       = operation{name: "stop desktop", isIdempotent: true}
	opQuery      = operation{name: "query", isLong: true}
)
