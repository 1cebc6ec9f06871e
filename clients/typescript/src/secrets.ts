/** Removes the token, and ids in addresses, from another program's text so that an error can contain it. */
export function withoutSecrets(text: string, token: string): string {
  return withoutIds(text.replaceAll(token, "…"));
}

/** Removes the ids in browser and desktop addresses, including a password after `#`. */
export function withoutIds(text: string): string {
  return text.replaceAll(/(\/devtools\/browser\/|\/desktop\/)[^\s"'<>/]+/g, "$1…");
}
