/** The path of remote desktops, before the desktop's key. */
export const DESKTOP_PATH = "/desktop/";

/** Viewer passwords (VncAuth, RFC 6143 section 7.2.2), with exactly 8 ASCII characters each. */
export type ViewerPasswords = {
  /** Allows viewers to see, type, point and share the clipboard. */
  readonly full: string;
  readonly viewOnly: string;
};

/** The URLs and passwords of a started desktop. */
export type DesktopAccess = {
  readonly passwords: ViewerPasswords;
  /** The desktop's page, with the password in the fragment. */
  readonly url: string;
  /** The RFB WebSocket. */
  readonly rfbUrl: string;
};

const PASSWORD_LENGTH = 8;
/** Letters and digits that are hard to confuse when read aloud. */
const CHARACTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** @param randomInt Returns a uniformly distributed integer, at least 0 and less than its argument. */
export function toPasswords(randomInt: (below: number) => number): ViewerPasswords {
  const newPassword = (): string =>
    Array.from({ length: PASSWORD_LENGTH }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join("");
  const full = newPassword();
  let viewOnly = newPassword();
  // Equal passwords are unlikely (one in 10^14), but would give view-only viewers full control.
  while (viewOnly === full) viewOnly = newPassword();
  return { full, viewOnly };
}

/**
 * Returns a desktop's URLs and passwords.
 * @param base The http(s) URL that the URLs begin with, including a path prefix.
 * @param key The desktop's secret: at least 128 random bits, URL-safe. It differs from the browser's key, so that
 *   viewers can't control the browser over DevTools.
 */
export function toDesktopAccess(base: URL, key: string, passwords: ViewerPasswords): DesktopAccess {
  const location = `//${base.host}${base.pathname.replace(/\/+$/, "")}${DESKTOP_PATH}${key}`;
  const isSecure = base.protocol === "https:";
  return {
    passwords,
    url: `${isSecure ? "https:" : "http:"}${location}#${passwords.full}`,
    rfbUrl: `${isSecure ? "wss:" : "ws:"}${location}/rfb`,
  };
}
