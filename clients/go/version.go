package remotebrowser

// The version in the User-Agent header, which must match the module's tag.
const version = "0.1.0"
