package remotebrowser

// Ptr points to a value, for options in which nil means left out:
//
//	&remotebrowser.OpenOptions{Headless: remotebrowser.Ptr(true)}
func Ptr[T any](value T) *T { return &value }
