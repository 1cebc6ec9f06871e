package remotebrowser

// What the User-Agent header says; the same as the module's tag.
const version = "0.1.0"
