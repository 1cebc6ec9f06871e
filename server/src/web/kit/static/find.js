// Finds elements that the server rendered. A missing element is a bug.

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
 * Finds the elements of a class that match a selector.
 * @template {Element} Kind
 * @param {ParentNode} place
 * @param {string} selector
 * @param {new () => Kind} kind
 */
export function findAll(place, selector, kind) {
  return [...place.querySelectorAll(selector)].flatMap((element) => (element instanceof kind ? [element] : []));
}

/**
 * Returns the value of a `data-…` attribute.
 * @param {HTMLElement} element
 * @param {string} name The attribute's name in `dataset`.
 */
export function read(element, name) {
  const value = element.dataset[name];
  if (value === undefined) throw new Error(`The element has no data attribute ${name}.`);
  return value;
}
