/** A text that others wrote, without what must not stand in errors: the token, and the ids in addresses. */
export function withoutSecrets(text: string, token: string): string {
  return withoutIds(text.replaceAll(token, "…"));
}

/** A text without the ids in addresses of browsers and desktops, and the password that may follow one after a `#`. */
export function withoutIds(text: string): string {
  return text.replaceAll(/(\/devtools\/browser\/|\/desktop\/)[^\s"'<>/]+/g, "$1…");
}
