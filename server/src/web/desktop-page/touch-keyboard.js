const BACKSPACE = 0xff08;
const RETURN = 0xff0d;
const TAB = 0xff09;
/** The X11 keysym of a character beyond Latin-1 is its code point plus this offset. */
const UNICODE_KEYSYMS = 0x0100_0000;
/** The field's initial content, which Backspace can delete. */
const FILLER = "_".repeat(64);

/** @param {string} character */
function toKeysym(character) {
  if (character === "\n") return RETURN;
  if (character === "\t") return TAB;
  const point = character.codePointAt(0) ?? 0;
  return point < 0x100 ? point : UNICODE_KEYSYMS + point;
}

/**
 * Types on the desktop with a phone's on-screen keyboard, which changes a field's text instead of sending key events.
 * @param {() => import("./session.js").Session["rfb"] | undefined} desktop Returns the desktop if it accepts input.
 * @param {HTMLTextAreaElement} field A visually hidden field.
 */
export function listenToField(desktop, field) {
  let before = FILLER;
  const reset = () => {
    field.value = before = FILLER;
    field.setSelectionRange(FILLER.length, FILLER.length);
  };
  reset();
  field.addEventListener("focus", reset);
  field.addEventListener("input", (event) => {
    const rfb = desktop();
    const now = field.value;
    let same = 0;
    while (same < before.length && before[same] === now[same]) same += 1;
    if (rfb !== undefined) {
      for (let at = same; at < before.length; at += 1) rfb.sendKey(BACKSPACE, "Backspace");
      for (const character of now.slice(same)) rfb.sendKey(toKeysym(character), "");
    }
    before = now;
    const isComposing = event instanceof InputEvent && event.isComposing;
    if (!isComposing && (now.length < FILLER.length / 2 || now.length > FILLER.length * 4)) reset();
  });
}
