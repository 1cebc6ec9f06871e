/** The path of remote desktops; the desktop's key follows. */
export const DESKTOP_PATH = "/desktop/";

/** The passwords of viewers (VncAuth, RFC 6143 section 7.2.2): exactly 8 ASCII characters each. */
export type ViewerPasswords = {
  /** Lets viewers see, type, point and share the clipboard. */
  readonly full: string;
  /** Lets viewers only see. */
  readonly viewOnly: string;
};

/** How viewers reach a started desktop. */
export type DesktopAccess = {
  readonly passwords: ViewerPasswords;
  /** The page that shows it, with the password in its fragment. */
  readonly url: string;
  /** The WebSocket that speaks RFB. */
  readonly rfbUrl: string;
};

const PASSWORD_LENGTH = 8;
/** Letters and digits that are hard to confuse when read aloud. */
const CHARACTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** @param randomInt Returns a random whole number from 0 to below its argument, each equally likely. */
export function toPasswords(randomInt: (below: number) => number): ViewerPasswords {
  const newPassword = (): string =>
    Array.from({ length: PASSWORD_LENGTH }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join("");
  const full = newPassword();
  let viewOnly = newPassword();
  // The odds are one in 10^14, but a viewer with the view-only password would then have full control.
  while (viewOnly === full) viewOnly = newPassword();
  return { full, viewOnly };
}

/**
 * The URLs of a desktop.
 * @param base What they begin with: an http(s) URL, with the path prefix if there is one.
 * @param key The desktop's secret: at least 128 random bits, URL-safe. It differs from the browser's key, so viewers
 * can't
 *   drive the browser over DevTools.
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
