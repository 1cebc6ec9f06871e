// Functions for pages that stay up to date by reloading their markup.

/** @typedef {NonNullable<import("idiomorph").Config["callbacks"]>} Callbacks */

/** Keeps open details elements open. @type {NonNullable<Callbacks["beforeAttributeUpdated"]>} */
export const keepOpen = (name, element) => !(name === "open" && element.localName === "details");

/**
 * Loads a page. Reloads the window instead if the user has signed out or signed in again in another window, because the
 * forms on this page no longer work, or if the page returns 404, because the user is no longer an operator.
 * @param {string} url
 * @returns {Promise<Document | undefined>} Undefined if the window reloads.
 * @throws {Error} If the server returns another error.
 */
export async function loadPage(url) {
  const answer = await fetch(url, { headers: { Accept: "text/html" } });
  if (!answer.ok && answer.status !== 404) throw new Error(`The page returned ${answer.status}.`);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (answer.ok && formTokenOf(page) === formTokenOf(document)) return page;
  location.reload();
  return undefined;
}

/** @param {Document} page */
function formTokenOf(page) {
  return page.querySelector(".member input[type=hidden]")?.getAttribute("value");
}
