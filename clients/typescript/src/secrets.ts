/** Removes the token and the ids in addresses from another program's text, for use in an error. */
export function withoutSecrets(text: string, token: string): string {
  return withoutIds(text.replaceAll(token, "…"));
}

/** Removes the ids in browser and desktop addresses, including a password after `#`. */
export function withoutIds(text: string): string {
  return text.replaceAll(/(\/devtools\/browser\/|\/desktop\/)[^\s"'<>/]+/g, "$1…");
}
