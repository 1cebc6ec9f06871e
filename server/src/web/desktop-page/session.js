import RFB from "./novnc/core/rfb.js";
import { toOutcome } from "./outcome.js";

/**
 * @typedef {import("./outcome.js").Outcome} Outcome
 * @typedef {object} Session A connection to the desktop.
 * @property {RFB} rfb
 * @property {Promise<void>} entered Resolves when the screen is shown. It may stay pending.
 * @property {Promise<Outcome>} ended Resolves when the connection is over.
 * @property {() => void} end Does nothing if the connection is over.
 */

/**
 * @param {HTMLElement} screen The element that shows the desktop.
 * @param {string} url The desktop's WebSocket.
 * @param {import("./link.js").Credentials} credentials
 * @param {(text: string) => void} onCopied Called with text that was copied on the desktop.
 * @returns {Session}
 */
export function openSession(screen, url, { password, isViewOnly }, onCopied) {
  // Opened here because noVNC does not report the close code and reason.
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
