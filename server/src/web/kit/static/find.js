// Finds what the server has rendered for the page's scripts. A missing element is a bug.

/**
 * @template {Element} Kind
 * @param {string} id
 * @param {new () => Kind} kind
 * @param {Document} page
 */
export function find(id, kind, page = document) {
  const element = page.getElementById(id);
  if (!(element instanceof kind)) throw new Error(`The page has no ${id}.`);
  return element;
}

/**
 * All elements of a kind that match a selector.
 * @template {Element} Kind
 * @param {ParentNode} place
 * @param {string} selector
 * @param {new () => Kind} kind
 */
export function findAll(place, selector, kind) {
  return [...place.querySelectorAll(selector)].flatMap((element) => (element instanceof kind ? [element] : []));
}

/**
 * The value of a `data-…` attribute.
 * @param {HTMLElement} element
 * @param {string} name As in `dataset`.
 */
export function read(element, name) {
  const value = element.dataset[name];
  if (value === undefined) throw new Error(`The element has no data attribute ${name}.`);
  return value;
}
