// Keeps the operator page up to date, without closing confirmations or losing what the operator types.

import { find, read } from "../../kit/static/find.js";
import { Idiomorph } from "../../kit/static/idiomorph.esm.js";
import { localize } from "../../kit/static/page.js";
import { askForPage, isOfThisSession, keepOpen, readPage } from "../../kit/static/renewal.js";

const EVERY_MS = 5000;

const now = find("now", HTMLElement);

async function load() {
  const answer = await askForPage(read(now, "page"));
  // The session has ended or the operator rights are gone: reloading leads to the sign-in page or an error.
  if (answer.redirected || answer.status === 404) return location.reload();
  if (!answer.ok) return;
  const page = await readPage(answer);
  if (!isOfThisSession(page)) return location.reload();
  void Idiomorph.morph(now, find("now", HTMLElement, page), { callbacks: { beforeAttributeUpdated: keepOpen } });
  localize(now);
}

/** One request at a time, and only while the page is visible. Ignores errors: the next request may succeed. */
async function refreshRepeatedly() {
  if (!document.hidden) await load().catch(() => {});
  setTimeout(refreshRepeatedly, EVERY_MS);
}

setTimeout(refreshRepeatedly, EVERY_MS);
