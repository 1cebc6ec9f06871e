// What every page does: buttons that copy, forms that are sent once, moments in the reader's own time, and a navigation that
// shows where it is.

import { findAll, read } from "./find.js";

const TOLD_MS = 2000;
/** For clicks that were meant as one. */
const DOUBLE_CLICK_MS = 1000;
/** After this, a form whose answer never came may be sent again. */
const LOST_MS = 20_000;
const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** @type {WeakSet<HTMLElement>} Buttons that tell an outcome, and have no label meanwhile. */
const telling = new WeakSet();

// On the document: buttons come and go on a page that follows what happens.
document.addEventListener("click", ({ target }) => {
  const button = target instanceof Element ? target.closest("button[data-copy]") : null;
  if (button instanceof HTMLElement && !telling.has(button)) void copy(button);
});

/** @param {HTMLElement} button */
async function copy(button) {
  const label = [...button.childNodes];
  telling.add(button);
  try {
    await navigator.clipboard.writeText(read(button, "copy"));
    button.textContent = "Copied";
  } catch {
    button.textContent = "Copy it by hand";
  }
  setTimeout(() => {
    button.replaceChildren(...label);
    telling.delete(button);
  }, TOLD_MS);
}

/** @type {Set<HTMLFormElement>} Forms that are on their way. */
const sent = new Set();

// What came of the first click would be lost with a second: a new token above all, which is shown this once.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.method !== "post") return;
  if (sent.has(form)) return event.preventDefault();
  sent.add(form);
  setTimeout(() => sent.delete(form), form.target === "_blank" ? DOUBLE_CLICK_MS : LOST_MS);
});
// Browsers keep pages as they were left, for who comes back.
addEventListener("pageshow", () => sent.clear());

/**
 * Puts moments that the server wrote in UTC into the reader's own time.
 * @param {ParentNode} place
 */
export function localise(place) {
  for (const time of findAll(place, "time[data-local]", HTMLTimeElement)) {
    const text = MOMENT.format(new Date(time.dateTime));
    if (time.textContent !== text) time.textContent = text;
    time.title = time.dateTime;
  }
}

/** On a narrow screen the navigation is one line that scrolls. Only it: the page stays at its top. */
function showWhereWeAre() {
  for (const entry of findAll(document, ".side [aria-current]", HTMLElement)) {
    const list = entry.closest("ul");
    if (list === null) continue;
    const [around, own] = [list.getBoundingClientRect(), entry.getBoundingClientRect()];
    list.scrollLeft += own.left + own.width / 2 - (around.left + around.width / 2);
  }
}

localise(document);
showWhereWeAre();
