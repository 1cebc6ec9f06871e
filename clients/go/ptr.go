package remotebrowser

// Ptr returns a pointer to a value, for options that are nil by default:
//
//	&remotebrowser.OpenOptions{Headless: remotebrowser.Ptr(true)}
func Ptr[T any](value T) *T { return &value }
