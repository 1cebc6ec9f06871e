// Keeps the list of browsers as it is on the server: their state, their pictures, and the time they have left.

import { keepPictures } from "./browsers-pictures.js";
import { keepTime } from "./browsers-time.js";
import { find, read } from "../../kit/find.js";
import { Idiomorph } from "../../kit/idiomorph.esm.js";
import { localise } from "../../kit/page.js";
import { askForPage, isOfThisSession, keepOpen, readPage } from "../../kit/renewal.js";

const RETRY_MS = 5000;

const list = find("browsers", HTMLElement);
const offer = find("offer", HTMLElement);
const live = find("live", HTMLElement);

/** @type {EventSource | undefined} */
let events;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let retry;
/** The server follows for so many windows and no more, and others came later: this one waits until somebody turns to it. */
let isPaused = false;

/** @type {import("../../kit/renewal.js").Callbacks} What stays as it is here when the server's markup takes its place. */
const callbacks = {
  beforeAttributeUpdated: (name, element, change) =>
    keepOpen(name, element, change) && !element.matches(".shot, .shot img"),
};

/**
 * @param {"live" | "lost" | "paused"} state
 * @param {string} text
 */
function tell(state, text) {
  if (live.dataset["state"] === state) return;
  live.dataset["state"] = state;
  live.className = `badge ${state === "live" ? "good" : "busy"}`;
  live.textContent = text;
}

const tellLive = () => tell("live", "Live");
const tellLost = () => tell("lost", "Reconnecting…");
const tellPaused = () => tell("paused", "Paused: open in too many windows");

// --- What the server shows now.

let isLoading = false;
let isStale = false;

/** Never twice at once; what changes meanwhile is looked at after it. */
async function refresh() {
  isStale = true;
  if (isLoading) return;
  isLoading = true;
  try {
    while (isStale) {
      isStale = false;
      await load();
    }
    if (events?.readyState === EventSource.OPEN) tellLive();
  } catch {
    if (isPaused) return;
    tellLost();
    again();
  } finally {
    isLoading = false;
  }
}

async function load() {
  const answer = await askForPage(read(list, "page"));
  if (!answer.ok) throw new Error(`The page answered ${answer.status}.`);
  const page = await readPage(answer);
  if (!isOfThisSession(page)) return location.reload();
  const hadFocus = list.contains(document.activeElement);
  for (const element of [offer, list]) {
    void Idiomorph.morph(element, find(element.id, HTMLElement, page), { callbacks });
  }
  // What had it is gone, and so the next key would begin at the top of the page.
  if (hadFocus && !list.contains(document.activeElement)) list.focus();
  localise(list);
  readClock();
}

// --- Following.

function follow() {
  stopFollowing();
  isPaused = false;
  const source = (events = new EventSource(read(list, "events")));
  // Whatever came before it was not heard of.
  source.addEventListener("open", () => void refresh());
  source.addEventListener("changed", () => void refresh());
  source.addEventListener("evicted", () => {
    stopFollowing();
    isPaused = true;
    tellPaused();
  });
  source.addEventListener("error", () => {
    tellLost();
    // It comes back by itself, unless it was refused. Either way the page tells at once whether anybody is signed in.
    if (source.readyState === EventSource.CLOSED) again();
    void refresh();
  });
}

function stopFollowing() {
  clearTimeout(retry);
  events?.close();
}

function again() {
  clearTimeout(retry);
  retry = setTimeout(() => {
    if (document.visibilityState !== "visible") return;
    if (events?.readyState === EventSource.CLOSED) follow();
    void refresh();
  }, RETRY_MS);
}

// A browser has few connections to one server: windows that nobody sees leave them to the others.
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") follow();
  else stopFollowing();
});
addEventListener("focus", () => {
  if (isPaused) follow();
});

const readClock = keepTime(list);
keepPictures(list);
if (document.visibilityState === "visible") follow();
