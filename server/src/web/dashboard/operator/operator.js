// Keeps the operator's overview as it is on the server; what is being typed or asked below and in it stays.

import { find, read } from "../../kit/find.js";
import { Idiomorph } from "../../kit/idiomorph.esm.js";
import { localise } from "../../kit/page.js";
import { askForPage, isOfThisSession, keepOpen, readPage } from "../../kit/renewal.js";

const EVERY_MS = 5000;

const now = find("now", HTMLElement);

async function load() {
  const answer = await askForPage(read(now, "page"));
  // To sign in, and back to this page; or these rights are gone.
  if (answer.redirected || answer.status === 404) return location.reload();
  if (!answer.ok) return;
  const page = await readPage(answer);
  if (!isOfThisSession(page)) return location.reload();
  void Idiomorph.morph(now, find("now", HTMLElement, page), { callbacks: { beforeAttributeUpdated: keepOpen } });
  localise(now);
}

/** One at a time, and none while nobody looks. A server that can't be reached now may be in a moment. */
async function again() {
  if (!document.hidden) await load().catch(() => {});
  setTimeout(again, EVERY_MS);
}

setTimeout(again, EVERY_MS);
