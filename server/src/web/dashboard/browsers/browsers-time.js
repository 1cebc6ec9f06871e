// Keeps times on the page up to date: how long browsers are open, when they close, and how old their pictures are.

import { findAll, read } from "../../kit/static/find.js";
import { toAgo, toSpan } from "../../kit/static/times.js";

const TICK_MS = 1000;

/**
 * @param {HTMLElement} list
 * @returns {{ readClock: () => void, tick: () => void }} Call `readClock` after the server has rendered the list
 * again, and `tick` after a time on the page has changed.
 */
export function updateTimes(list) {
  /** How far the server's clock is ahead of the local clock, in ms. */
  let aheadMs = 0;
  const tick = () => {
    const now = Date.now() + aheadMs;
    for (const element of findAll(list, "[data-closes-at]", HTMLElement)) {
      write(element, toSpan(Date.parse(read(element, "closesAt")) - now));
    }
    for (const element of findAll(list, "[data-since]", HTMLElement)) {
      write(element, toAgo(now - Date.parse(read(element, "since"))));
    }
    for (const element of findAll(list, "[data-taken-at]", HTMLElement)) {
      const takenAt = Date.parse(read(element, "takenAt"));
      if (!Number.isNaN(takenAt)) write(element, toAge(now - takenAt));
    }
  };
  const readClock = () => {
    aheadMs = Date.parse(read(list, "now")) - Date.now();
    tick();
  };
  readClock();
  setInterval(tick, TICK_MS);
  return { readClock, tick };
}

/** @param {HTMLElement} element @param {string} text */
function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Formats a picture's age, in seconds for the first minute. @param {number} ms */
export function toAge(ms) {
  return ms < 60_000 ? `${Math.max(1, Math.floor(ms / 1000))} s ago` : toAgo(ms);
}
