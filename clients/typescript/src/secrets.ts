/** Removes the token and the ids in addresses from a text that comes from elsewhere and goes into an error. */
export function withoutSecrets(text: string, token: string): string {
  return withoutIds(text.replaceAll(token, "…"));
}

/** Removes the ids in addresses of browsers and desktops, and the password that may follow after a `#`. */
export function withoutIds(text: string): string {
  return text.replaceAll(/(\/devtools\/browser\/|\/desktop\/)[^\s"'<>/]+/g, "$1…");
}
