const VIEW = "view=";

/**
 * What the link says after its `#`: a password, or `view=` and one. A screen does not tell whether a password is only
 * for viewing, so the longer form is for links that are handed to people who watch.
 * @typedef {{ readonly password: string, readonly isViewOnly: boolean }} Credentials
 */

/**
 * @param {string} hash With its `#`, as in `location.hash`.
 * @returns {Credentials} The password is empty when there is none.
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

/**
 * Where the desktop's WebSocket is: below the page, whatever path prefix stands before it.
 * @param {string} href The page's URL.
 */
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
