/** Where remote desktops lie below the host, each with its key after it. */
export const DESKTOP_PATH = "/desktop/";

/** What viewers prove who they are with (VncAuth, RFC 6143 section 7.2.2): exactly 8 ASCII characters each. */
export type ViewerPasswords = {
  /** Sees, types, points and shares the clipboard. */
  readonly full: string;
  /** Only sees. */
  readonly viewOnly: string;
};

/** A desktop that is started, and the ways to it. */
export type DesktopAccess = {
  readonly passwords: ViewerPasswords;
  /** The page that shows it, with the password in its fragment. */
  readonly url: string;
  /** The WebSocket that speaks RFB. */
  readonly rfbUrl: string;
};

const PASSWORD_LENGTH = 8;
/** Letters and digits that nobody mistakes for one another when they are read out. */
const CHARACTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** @param randomInt A random whole number from 0, below its argument; each as likely. */
export function toPasswords(randomInt: (below: number) => number): ViewerPasswords {
  const newPassword = (): string =>
    Array.from({ length: PASSWORD_LENGTH }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join("");
  const full = newPassword();
  let viewOnly = newPassword();
  // One in 10^14, and then whoever was to watch only would get everything.
  while (viewOnly === full) viewOnly = newPassword();
  return { full, viewOnly };
}

/**
 * The ways to a desktop.
 * @param base What they begin with: an http(s) URL, with a path prefix where there is one.
 * @param key The desktop's secret: at least 128 random bits, URL-safe. It is not the browser's, so that who may watch
 *   can't drive the browser over DevTools.
 */
export function toDesktopAccess(base: URL, key: string, passwords: ViewerPasswords): DesktopAccess {
  const place = `//${base.host}${base.pathname.replace(/\/+$/, "")}${DESKTOP_PATH}${key}`;
  const isSecure = base.protocol === "https:";
  return {
    passwords,
    url: `${isSecure ? "https:" : "http:"}${place}#${passwords.full}`,
    rfbUrl: `${isSecure ? "wss:" : "ws:"}${place}/rfb`,
  };
}
