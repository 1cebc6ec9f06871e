// What the server has put on a page for its scripts. A page without it is not the one that the script is for.

/**
 * @template {Element} Kind
 * @param {string} id
 * @param {new () => Kind} kind
 * @param {Document} page The one that is shown, or one to come.
 */
export function find(id, kind, page = document) {
  const element = page.getElementById(id);
  if (!(element instanceof kind)) throw new Error(`The page has no ${id}.`);
  return element;
}

/**
 * All of a kind that a selector matches.
 * @template {Element} Kind
 * @param {ParentNode} place
 * @param {string} selector
 * @param {new () => Kind} kind
 */
export function findAll(place, selector, kind) {
  return [...place.querySelectorAll(selector)].flatMap((element) => (element instanceof kind ? [element] : []));
}

/**
 * What a `data-…` attribute says.
 * @param {HTMLElement} element
 * @param {string} name As in `dataset`.
 */
export function read(element, name) {
  const value = element.dataset[name];
  if (value === undefined) throw new Error(`The page does not tell ${name}.`);
  return value;
}
