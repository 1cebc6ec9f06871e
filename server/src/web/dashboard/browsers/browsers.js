// Keeps the list of open browsers, their pictures and their remaining time up to date.

import { updatePictures } from "./browsers-pictures.js";
import { updateTimes } from "./browsers-time.js";
import { find, read } from "../../kit/static/find.js";
import { Idiomorph } from "../../kit/static/idiomorph.esm.js";
import { localize } from "../../kit/static/page.js";
import { keepOpen, loadPage } from "../../kit/static/renewal.js";

const RETRY_MS = 5000;

const list = find("browsers", HTMLElement);
const limits = find("limits", HTMLElement);
const offer = find("offer", HTMLElement);
const live = find("live", HTMLElement);

/** @type {EventSource | undefined} */
let events;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let retry;
/** The server limits the number of streams. A window whose stream was evicted waits until it is focused again. */
let isPaused = false;

/** @type {import("../../kit/static/renewal.js").Callbacks} */
const callbacks = {
  beforeAttributeUpdated: keepOpen,
  // The script updates the pictures and their ages separately.
  beforeNodeMorphed: (element) => !(element instanceof Element && element.matches(".shot")),
};

/**
 * @param {"live" | "lost" | "paused"} state
 * @param {string} text
 */
function report(state, text) {
  if (live.dataset["state"] === state) return;
  live.dataset["state"] = state;
  live.className = `badge ${state === "live" ? "good" : "busy"}`;
  live.textContent = text;
}

const reportLive = () => report("live", "Live");
const reportLost = () => report("lost", "Reconnecting…");
const reportPaused = () => report("paused", "Paused: too many windows are open");

// --- Reloading the list.

let isLoading = false;
let isStale = false;

/** Reloads the list. Reloads never overlap: a change that arrives during a reload causes another reload. */
async function refresh() {
  isStale = true;
  if (isLoading) return;
  isLoading = true;
  try {
    while (isStale) {
      isStale = false;
      await load();
    }
    if (events?.readyState === EventSource.OPEN) reportLive();
  } catch {
    if (isPaused) return;
    reportLost();
    retryLater();
  } finally {
    isLoading = false;
  }
}

async function load() {
  const page = await loadPage(read(list, "page"));
  if (page === undefined) return;
  const hadFocus = list.contains(document.activeElement);
  for (const element of [offer, limits, list]) {
    void Idiomorph.morph(element, find(element.id, HTMLElement, page), { callbacks });
  }
  // If the focused card was removed, Tab would otherwise restart at the top of the page.
  if (hadFocus && !list.contains(document.activeElement)) list.focus();
  localize(list);
  time.readClock();
}

// --- Following changes.

function follow() {
  stopFollowing();
  isPaused = false;
  const source = (events = new EventSource(read(list, "events")));
  // The stream doesn't report changes that happened before it opened.
  source.addEventListener("open", () => void refresh());
  source.addEventListener("changed", () => void refresh());
  source.addEventListener("evicted", () => {
    stopFollowing();
    isPaused = true;
    reportPaused();
  });
  source.addEventListener("error", () => {
    reportLost();
    // The EventSource reconnects automatically, unless the server rejected the request. Reloading the list also shows
    // whether the user is still signed in.
    if (source.readyState === EventSource.CLOSED) retryLater();
    void refresh();
  });
}

function stopFollowing() {
  clearTimeout(retry);
  events?.close();
}

function retryLater() {
  clearTimeout(retry);
  retry = setTimeout(() => {
    if (document.visibilityState !== "visible") return;
    if (events?.readyState === EventSource.CLOSED) follow();
    void refresh();
  }, RETRY_MS);
}

// Web browsers limit connections per server, so a hidden window closes its connection.
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") follow();
  else stopFollowing();
});
addEventListener("focus", () => {
  if (isPaused) follow();
});

const time = updateTimes(list);
updatePictures(list, time.tick);
if (document.visibilityState === "visible") follow();
