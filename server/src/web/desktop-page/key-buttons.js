/**
 * Makes the panel's buttons press keys on the desktop, for phones and for keys that the user's computer handles itself.
 * `data-key` contains a keysym and a physical key code. `data-hold` contains the same for a key that is held until the
 * next key press.
 * @param {() => import("./session.js").Session["rfb"] | undefined} desktop Returns the desktop if it accepts input.
 * @param {HTMLElement} panel
 */
export function holdKeys(desktop, panel) {
  /** @type {Set<HTMLButtonElement>} */
  const held = new Set();
  const release = () => {
    for (const button of held) hold(button, false);
    held.clear();
  };
  /** @param {HTMLButtonElement} button @param {boolean} isDown */
  const hold = (button, isDown) => {
    button.ariaPressed = String(isDown);
    send(button.dataset["hold"], isDown);
  };
  /** @param {string | undefined} key @param {boolean} [isDown] */
  const send = (key = "", isDown) => {
    const [keysym = "", code = ""] = key.split(" ");
    desktop()?.sendKey(Number(keysym), code, isDown);
  };

  for (const button of panel.querySelectorAll("button")) {
    // Keep the focus on the desktop, or in the hidden field that receives a phone's input.
    button.addEventListener("pointerdown", (event) => event.preventDefault());
    button.addEventListener("click", () => {
      const key = button.dataset["key"];
      if (key !== undefined) {
        send(key);
        release();
      } else {
        const isDown = !held.delete(button);
        if (isDown) held.add(button);
        hold(button, isDown);
      }
    });
  }
  // Typing on any keyboard also releases held keys.
  for (const name of ["keyup", "input"]) {
    window.addEventListener(name, () => {
      if (held.size > 0 && !panel.contains(document.activeElement)) release();
    });
  }
}
