package remotebrowser

// The version in the User-Agent header, which is the module's tag.
const version = "0.1.0"
