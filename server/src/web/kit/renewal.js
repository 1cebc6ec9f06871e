// What pages share that are kept as they are on the server, by markup that is asked for again.

/** @typedef {NonNullable<import("idiomorph").Config["callbacks"]>} Callbacks */

/**
 * A question or an address that somebody has opened stays so.
 * @type {NonNullable<Callbacks["beforeAttributeUpdated"]>}
 */
export const keepOpen = (name, element) => !(name === "open" && element.localName === "details");

/**
 * @param {string} url
 * @returns {Promise<Response>} Whatever was answered.
 */
export function askForPage(url) {
  return fetch(url, { headers: { Accept: "text/html" } });
}

/** @param {Response} answer */
export async function readPage(answer) {
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

/**
 * Whether a page is for the session that this one is for. If it is not, somebody has signed out, or has signed in anew
 * in another window, and the forms of this page are of no use any more.
 * @param {Document} page
 */
export function isOfThisSession(page) {
  return formTokenOf(page) === formTokenOf(document);
}

/** @param {Document} page */
function formTokenOf(page) {
  return page.querySelector(".member input[type=hidden]")?.getAttribute("value");
}
