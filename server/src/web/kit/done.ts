import { html } from "hono/html";
import type { Html } from "./layout.ts";

/** What a page says after a form, by the word that the address carries then. */
export type DoneWords = ReadonlyMap<string, string>;

/** @param word As it stood in the address: whoever wrote that may have made it up, and it is never repeated. */
export function renderDone(words: DoneWords, word: string | undefined): Html {
  const sentence = words.get(word ?? "");
  return sentence === undefined ? html`` : html`<p class="notice good" role="status">${sentence}</p>`;
}
