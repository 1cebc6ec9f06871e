// Runs on every page: handles Copy buttons, prevents forms from being submitted twice, shows times in the user's time
// zone, and scrolls the navigation to the current entry.

import { findAll, read } from "./find.js";

const FEEDBACK_MS = 2000;
/** Clicks within this time count as a double click. */
const DOUBLE_CLICK_MS = 1000;
/** Time after which a form without a response can be submitted again. */
const LOST_MS = 20_000;
const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** @type {WeakSet<HTMLElement>} Buttons that show feedback instead of their label. */
const busy = new WeakSet();

// Listens on the document, because scripts add and remove buttons.
document.addEventListener("click", ({ target }) => {
  const button = target instanceof Element ? target.closest("button[data-copy]") : null;
  if (button instanceof HTMLElement && !busy.has(button)) void copy(button);
});

/** @param {HTMLElement} button */
async function copy(button) {
  const label = [...button.childNodes];
  busy.add(button);
  try {
    await navigator.clipboard.writeText(read(button, "copy"));
    button.textContent = "Copied";
  } catch {
    button.textContent = "Copy failed";
  }
  setTimeout(() => {
    button.replaceChildren(...label);
    busy.delete(button);
  }, FEEDBACK_MS);
}

/** @type {Set<HTMLFormElement>} Forms waiting for a response. */
const sent = new Set();

// A second submission would discard the first response, such as a new token, which is shown only once.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.method !== "post") return;
  if (sent.has(form)) return event.preventDefault();
  sent.add(form);
  setTimeout(() => sent.delete(form), form.target === "_blank" ? DOUBLE_CLICK_MS : LOST_MS);
});
// The Back button can restore a page together with its pending forms.
addEventListener("pageshow", () => sent.clear());

/** Shows times in the user's time zone. The server renders them in UTC. @param {ParentNode} place */
export function localize(place) {
  for (const time of findAll(place, "time[data-local]", HTMLTimeElement)) {
    const text = MOMENT.format(new Date(time.dateTime));
    if (time.textContent !== text) time.textContent = text;
    time.title = time.dateTime;
  }
}

/** Scrolls the navigation, a single line on narrow screens, to the current entry without scrolling the page. */
function showCurrentEntry() {
  for (const entry of findAll(document, ".side [aria-current]", HTMLElement)) {
    const list = entry.closest("ul");
    if (list === null) continue;
    const [around, own] = [list.getBoundingClientRect(), entry.getBoundingClientRect()];
    list.scrollLeft += own.left + own.width / 2 - (around.left + around.width / 2);
  }
}

localize(document);
showCurrentEntry();
