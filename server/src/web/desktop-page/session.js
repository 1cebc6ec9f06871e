import RFB from "./novnc/core/rfb.js";
import { toOutcome } from "./outcome.js";

/**
 * @typedef {import("./outcome.js").Outcome} Outcome
 * @typedef {object} Session A connection to the desktop.
 * @property {RFB} rfb
 * @property {Promise<void>} entered Resolves when the screen is shown. May never settle.
 * @property {Promise<Outcome>} ended Resolves when the connection has ended.
 * @property {() => void} end Ends the connection. Does nothing if the connection has already ended.
 */

/**
 * @param {HTMLElement} screen The element that shows the desktop.
 * @param {string} url The URL of the desktop's WebSocket.
 * @param {import("./link.js").Credentials} credentials
 * @param {(text: string) => void} onCopied Called with text that was copied on the desktop.
 * @returns {Session}
 */
export function openSession(screen, url, { password, isViewOnly }, onCopied) {
  // Opened here, because noVNC doesn't report the close code and reason of a WebSocket that it opens itself.
  const socket = new WebSocket(url);
  socket.binaryType = "arraybuffer";
  let isRefused = false;
  /** @type {Promise<Outcome>} */
  const closed = new Promise((resolve) => {
    socket.addEventListener("close", (event) => resolve(toOutcome(event, isRefused)));
  });
  const rfb = new RFB(screen, socket, { shared: true, credentials: { password } });
  rfb.viewOnly = isViewOnly;
  rfb.scaleViewport = true;
  rfb.resizeSession = false;
  rfb.showDotCursor = !isViewOnly;
  rfb.qualityLevel = 8;
  rfb.background = "transparent";
  rfb.addEventListener("securityfailure", () => {
    isRefused = true;
  });
  rfb.addEventListener("clipboard", ({ detail }) => onCopied(detail.text));
  /** @type {Promise<void>} */
  const entered = new Promise((resolve) => {
    rfb.addEventListener("connect", () => resolve());
  });
  let isOver = false;
  const ended = closed.finally(() => {
    isOver = true;
  });
  const end = () => {
    if (!isOver) rfb.disconnect();
  };
  return { rfb, entered, ended, end };
}
