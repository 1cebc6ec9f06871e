/** Removes the token and the ids in addresses from text of other programs, for use in an error. */
export function withoutSecrets(text: string, token: string): string {
  return withoutIds(text.replaceAll(token, "…"));
}

/** Removes the ids in addresses of browsers and desktops, including a password after `#`. */
export function withoutIds(text: string): string {
  return text.replaceAll(/(\/devtools\/browser\/|\/desktop\/)[^\s"'<>/]+/g, "$1…");
}
