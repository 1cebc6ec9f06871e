/** Keys of the desktop, by their X11 keysyms and their places on a keyboard. */
const CONTROL = /** @type {const} */ ([0xffe3, "ControlLeft"]);
const V = /** @type {const} */ ([0x76, "KeyV"]);
/** What noVNC makes of a Mac's command key. */
const COMMAND = /** @type {const} */ ([0xffe9, "MetaLeft"]);

/**
 * The clipboard of the desktop and the person's own, kept the same as far as the person's browser allows.
 * @param {() => import("./session.js").Session["rfb"] | undefined} desktop The desktop, while it takes input.
 * @param {HTMLElement} screen Where the desktop is shown.
 * @param {HTMLTextAreaElement} panel What it holds, to be read and changed by hand.
 * @returns {{ take(text: string): void }} Takes what was copied on the desktop.
 */
export function shareClipboard(desktop, screen, panel) {
  /** @param {string} text */
  const give = (text) => {
    desktop()?.clipboardPasteFrom(text);
    panel.value = text;
  };

  panel.addEventListener("input", () => desktop()?.clipboardPasteFrom(panel.value));

  let isCommand = false;
  // Ctrl+V is kept from noVNC, so that it becomes a paste, which hands over the text without asking for a permission.
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
    // Only now: let go by itself, it would lead to the menu.
    if (isCommand) rfb.sendKey(...COMMAND, false);
    rfb.sendKey(...V);
    rfb.sendKey(...CONTROL, false);
  });

  return {
    take(text) {
      panel.value = text;
      // Not there without TLS, and refused without focus; the panel has it then.
      if (document.hasFocus()) navigator.clipboard?.writeText(text).catch(() => {});
    },
  };
}
