// For pages that stay current by loading their markup again.

/** @typedef {NonNullable<import("idiomorph").Config["callbacks"]>} Callbacks */

/**
 * Keeps open details elements open.
 * @type {NonNullable<Callbacks["beforeAttributeUpdated"]>}
 */
export const keepOpen = (name, element) => !(name === "open" && element.localName === "details");

/** @param {string} url */
export function askForPage(url) {
  return fetch(url, { headers: { Accept: "text/html" } });
}

/** @param {Response} answer */
export async function readPage(answer) {
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

/**
 * Whether a page belongs to the same session as this one. Otherwise the user has signed out or signed in again in
 * another window, and the forms on this page no longer work.
 * @param {Document} page
 */
export function isOfThisSession(page) {
  return formTokenOf(page) === formTokenOf(document);
}

/** @param {Document} page */
function formTokenOf(page) {
  return page.querySelector(".member input[type=hidden]")?.getAttribute("value");
}
