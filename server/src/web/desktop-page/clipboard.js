/** Keys, as X11 keysym and physical key code. */
const CONTROL = /** @type {const} */ ([0xffe3, "ControlLeft"]);
const V = /** @type {const} */ ([0x76, "KeyV"]);
/** The keysym that noVNC sends for a Mac's Command key. */
const COMMAND = /** @type {const} */ ([0xffe9, "MetaLeft"]);

/**
 * Synchronizes the desktop's clipboard with the user's, as far as the web browser allows.
 * @param {() => import("./session.js").Session["rfb"] | undefined} desktop Returns the desktop if it accepts input.
 * @param {HTMLElement} screen The element that shows the desktop.
 * @param {HTMLTextAreaElement} panel Shows the desktop's clipboard, which the user can edit.
 * @returns {{ take(text: string): void }} Call `take` with text that was copied on the desktop.
 */
export function shareClipboard(desktop, screen, panel) {
  /** @param {string} text */
  const give = (text) => {
    desktop()?.clipboardPasteFrom(text);
    panel.value = text;
  };

  panel.addEventListener("input", () => desktop()?.clipboardPasteFrom(panel.value));

  let isCommand = false;
  // Hide Ctrl+V from noVNC, so that it becomes a paste event, which provides the text without a permission prompt.
  window.addEventListener(
    "keydown",
    (event) => {
      const isPaste = (event.ctrlKey || event.metaKey) && !event.altKey && event.code === "KeyV";
      if (!isPaste || desktop() === undefined || !screen.contains(document.activeElement)) return;
      isCommand = event.metaKey;
      event.stopImmediatePropagation();
    },
    { capture: true },
  );
  window.addEventListener("paste", (event) => {
    const rfb = desktop();
    if (rfb === undefined || !screen.contains(document.activeElement)) return;
    event.preventDefault();
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (text !== "") give(text);
    rfb.sendKey(...CONTROL, true);
    // Release Command only after Ctrl is down: pressing and releasing Command alone opens the menu.
    if (isCommand) rfb.sendKey(...COMMAND, false);
    rfb.sendKey(...V);
    rfb.sendKey(...CONTROL, false);
  });

  return {
    take(text) {
      panel.value = text;
      // The clipboard requires TLS, and rejects writes from unfocused pages. The panel shows the text either way.
      if (document.hasFocus()) navigator.clipboard?.writeText(text).catch(() => {});
    },
  };
}
