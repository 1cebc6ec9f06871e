/**
 * Buttons that press keys of the desktop: for phones, which have none, and for keys that the person's own computer keeps
 * to itself. Each carries a keysym and a place on the keyboard in `data-key`, or in `data-hold` if it stays down for the
 * next key.
 * @param {() => import("./session.js").Session["rfb"] | undefined} desktop The desktop, while it takes input.
 * @param {HTMLElement} panel
 */
export function holdKeys(desktop, panel) {
  /** @type {Set<HTMLButtonElement>} */
  const held = new Set();
  const release = () => {
    for (const button of held) {
      button.ariaPressed = "false";
      send(button.dataset["hold"], false);
    }
    held.clear();
  };
  /** @param {string | undefined} key @param {boolean} [isDown] */
  const send = (key = "", isDown) => {
    const [keysym = "", code = ""] = key.split(" ");
    desktop()?.sendKey(Number(keysym), code, isDown);
  };

  for (const button of panel.querySelectorAll("button")) {
    // The desktop, or the field that a phone types into, stays in focus.
    button.addEventListener("pointerdown", (event) => event.preventDefault());
    button.addEventListener("click", () => {
      const { key, hold } = button.dataset;
      if (key !== undefined) {
        send(key);
        release();
      } else if (held.delete(button)) {
        button.ariaPressed = "false";
        send(hold, false);
      } else {
        held.add(button);
        button.ariaPressed = "true";
        send(hold, true);
      }
    });
  }
  // A key from a keyboard is the next key as well.
  for (const name of ["keyup", "input"]) {
    window.addEventListener(name, () => {
      if (held.size > 0 && !panel.contains(document.activeElement)) release();
    });
  }
}
