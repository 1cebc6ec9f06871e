const VIEW = "view=";

/**
 * The link's fragment: a password, or `view=` and a view-only password. VNC doesn't report whether a password is
 * view-only, so the link does.
 * @typedef {{ readonly password: string, readonly isViewOnly: boolean }} Credentials
 */

/**
 * @param {string} hash Includes the `#`, as in `location.hash`.
 * @returns {Credentials} The password is empty if the fragment has none.
 */
export function readFragment(hash) {
  const text = decode(hash.replace(/^#/, ""));
  const isViewOnly = text.startsWith(VIEW);
  return { password: isViewOnly ? text.slice(VIEW.length) : text, isViewOnly };
}

/** @param {Credentials} credentials */
export function toFragment({ password, isViewOnly }) {
  return `#${isViewOnly ? VIEW : ""}${encodeURIComponent(password)}`;
}

/** Returns the URL of the desktop's WebSocket, which is below the page's URL. @param {string} href The page's URL. */
export function toRfbUrl(href) {
  const url = new URL(href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  url.pathname = `${url.pathname}/rfb`;
  url.search = "";
  url.hash = "";
  return url.href;
}

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
