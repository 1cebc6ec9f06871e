// For pages that stay current by loading their markup again.

/** @typedef {NonNullable<import("idiomorph").Config["callbacks"]>} Callbacks */

/**
 * Keeps open details elements open.
 * @type {NonNullable<Callbacks["beforeAttributeUpdated"]>}
 */
export const keepOpen = (name, element) => !(name === "open" && element.localName === "details");

/**
 * Loads a page again. If the user has signed out, or signed in again in another window, the forms on this page no longer
 * work, so the window reloads instead. Operators who have lost their rights receive 404, which also reloads it.
 * @param {string} url
 * @returns {Promise<Document | undefined>} Undefined if the window reloads.
 * @throws {Error} If the server answers with an error.
 */
export async function loadPage(url) {
  const answer = await fetch(url, { headers: { Accept: "text/html" } });
  if (!answer.ok && answer.status !== 404) throw new Error(`The page answered ${answer.status}.`);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (answer.ok && formTokenOf(page) === formTokenOf(document)) return page;
  location.reload();
  return undefined;
}

/** @param {Document} page */
function formTokenOf(page) {
  return page.querySelector(".member input[type=hidden]")?.getAttribute("value");
}
