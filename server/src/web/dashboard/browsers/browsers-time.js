// Keeps times on the page current: how long browsers are open, when they close, and how old their pictures are.
// The words are the same as in kit/format.ts, which renders the page.

import { findAll, read } from "../../kit/find.js";

const TICK_MS = 1000;
const UNITS = /** @type {const} */ ([
  ["d", 86_400],
  ["h", 3600],
  ["min", 60],
]);
const AGES = /** @type {const} */ ([
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
]);
const WORDS = new Intl.RelativeTimeFormat("en");

/**
 * @param {HTMLElement} list
 * @returns {{ readClock: () => void, tick: () => void }} Call `readClock` when the server has rendered the list again,
 * and `tick`
 *   when something shows a new time.
 */
export function updateTimes(list) {
  /** How far the server's clock is ahead of this one. */
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

/** @param {number} ms */
export function toSpan(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  for (const [index, [unit, size]] of UNITS.entries()) {
    if (seconds < size) continue;
    const [nextUnit, nextSize] = UNITS[index + 1] ?? ["s", 1];
    const rest = Math.floor((seconds % size) / nextSize);
    return `${Math.floor(seconds / size)} ${unit}${rest === 0 ? "" : ` ${rest} ${nextUnit}`}`;
  }
  return `${seconds} s`;
}

/** @param {number} ms */
export function toAgo(ms) {
  const [unit, unitMs] = AGES.find(([, each]) => ms >= each) ?? [];
  return unit === undefined ? "just now" : WORDS.format(-Math.floor(ms / unitMs), unit);
}

/**
 * The same in seconds for the first minute.
 * @param {number} ms
 */
export function toAge(ms) {
  return ms < 60_000 ? `${Math.max(1, Math.floor(ms / 1000))} s ago` : toAgo(ms);
}
