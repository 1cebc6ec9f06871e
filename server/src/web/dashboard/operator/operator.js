// Keeps the operator page up to date without closing confirmations or losing the operator's input.

import { find, read } from "../../kit/static/find.js";
import { Idiomorph } from "../../kit/static/idiomorph.esm.js";
import { localize } from "../../kit/static/page.js";
import { keepOpen, loadPage } from "../../kit/static/renewal.js";

const EVERY_MS = 5000;

const now = find("now", HTMLElement);

async function load() {
  const page = await loadPage(read(now, "page"));
  if (page === undefined) return;
  void Idiomorph.morph(now, find("now", HTMLElement, page), { callbacks: { beforeAttributeUpdated: keepOpen } });
  localize(now);
}

/** Reloads the state while the page is visible. Ignores errors, because the next request may succeed. */
async function refreshRepeatedly() {
  if (!document.hidden) await load().catch(() => {});
  setTimeout(refreshRepeatedly, EVERY_MS);
}

setTimeout(refreshRepeatedly, EVERY_MS);
