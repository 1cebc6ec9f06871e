// Keeps browser pictures up to date and shows their age.

import { findAll, read } from "../../kit/static/find.js";

const EVERY_MS = 4000;

/**
 * @param {HTMLElement} list
 * @param {() => void} showAges Called when a picture has changed.
 */
export function updatePictures(list, showAges) {
  list.addEventListener("error", ({ target }) => markMissing(target), true);
  for (const image of findAll(list, ".shot img", HTMLImageElement)) {
    if (image.complete && image.naturalWidth === 0) markMissing(image);
  }
  const renewAll = async () => {
    // Load one picture at a time, and only pictures in view, because each picture costs the server CPU time.
    if (document.visibilityState === "visible") {
      for (const shot of findAll(list, ".shot", HTMLElement)) {
        if (isInView(shot)) await renew(shot).then(showAges, () => {});
      }
    }
    setTimeout(renewAll, EVERY_MS);
  };
  void renewAll();
}

/** @param {Element} element */
function isInView(element) {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

/** Replaces a picture once the new picture is decoded, to avoid flicker. @param {HTMLElement} shot */
async function renew(shot) {
  const answer = await fetch(read(shot, "picture"));
  if (!answer.ok) return;
  const url = URL.createObjectURL(await answer.blob());
  const old = shot.querySelector("img");
  if (old === null) return URL.revokeObjectURL(url);
  const fresh = new Image(old.width, old.height);
  fresh.src = url;
  await fresh.decode().finally(() => URL.revokeObjectURL(url));
  fresh.id = old.id;
  fresh.alt = old.alt;
  if (!old.isConnected) return;
  shot.removeAttribute("data-missing");
  old.replaceWith(fresh);
  for (const age of findAll(shot, "[data-taken-at]", HTMLElement)) {
    age.dataset["takenAt"] = answer.headers.get("Last-Modified") ?? "";
    age.closest("p")?.removeAttribute("hidden");
  }
}

/**
 * Shows the text behind the picture instead of the web browser's icon for a missing image.
 * @param {EventTarget | null} target
 */
function markMissing(target) {
  if (target instanceof Element && target.matches(".shot img")) {
    target.closest(".shot")?.setAttribute("data-missing", "");
  }
}
