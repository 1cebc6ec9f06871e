// Pictures of what the browsers show, renewed while somebody sees them.

import { findAll } from "../../kit/find.js";

const EVERY_MS = 5000;

/** The number of the last picture, so that each has a URL of its own. */
let last = 0;

/** @param {HTMLElement} list */
export function keepPictures(list) {
  list.addEventListener("error", ({ target }) => markMissing(target), true);
  for (const picture of picturesOf(list)) {
    if (picture.complete && picture.naturalWidth === 0) markMissing(picture);
  }
  const renewAll = async () => {
    // One after the other, and only what is in view: each costs the server something.
    if (document.visibilityState === "visible") {
      for (const picture of picturesOf(list)) {
        if (isInView(picture)) await renew(picture).catch(() => {});
      }
    }
    setTimeout(renewAll, EVERY_MS);
  };
  setTimeout(renewAll, EVERY_MS);
}

/** @param {HTMLElement} list */
function picturesOf(list) {
  return findAll(list, ".shot img", HTMLImageElement);
}

/** @param {Element} element */
function isInView(element) {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

/**
 * The new one takes the old one's place when it is there to be seen.
 * @param {HTMLImageElement} picture
 */
async function renew(picture) {
  const fresh = new Image(picture.width, picture.height);
  const { pathname } = new URL(picture.src);
  fresh.src = `${pathname}?${(last += 1)}`;
  await fresh.decode();
  fresh.id = picture.id;
  fresh.alt = picture.alt;
  if (!picture.isConnected) return;
  picture.closest(".shot")?.removeAttribute("data-missing");
  picture.replaceWith(fresh);
}

/**
 * Whatever a browser would show in place of a picture that is not there, ours looks better.
 * @param {EventTarget | null} target
 */
function markMissing(target) {
  if (target instanceof Element && target.matches(".shot img")) {
    target.closest(".shot")?.setAttribute("data-missing", "");
  }
}
