package remotebrowser

// operation is one of the contract's, with what decides about repeats and time-outs.
type operation struct {
	// As the method that callers see.
	name string
	// Done twice, it changes nothing more: it may be repeated even if it may have happened.
	isIdempotent bool
	// Takes as long as a language model does: only the total timeout bounds it.
	isLong bool
}

var (
	opOpen  = operation{name: "open"}
	opClose = operation{name: "close", isIdempotent: true}
	opList  = operation{name: "list", isIdempotent: true}
	opStart = operation{name: "start desktop", isIdempotent: true}
	opStop  = operation{name: "stop desktop", isIdempotent: true}
	opQuery = operation{name: "query", isLong: true}
)
