// Adds accessibility attributes that Swagger UI lacks: field names, and keyboard focus for scrollable text.

/** @type {readonly (readonly [selector: string, attributes: Readonly<Record<string, string>>])[]} */
const ADDED = [
  // Swagger UI renders a second main element inside the page's main element.
  ["main", { role: "region", "aria-label": "Operations" }],
  ["textarea", { "aria-label": "Request body" }],
  [".examples-select-element", { "aria-label": "Example" }],
  [":is(pre, table)", { tabindex: "0" }],
];

/** @param {HTMLElement} place The element that Swagger UI renders into. */
export function addMissingNames(place) {
  const name = () => {
    for (const [selector, attributes] of ADDED) {
      const isUnnamed = Object.keys(attributes).map((attribute) => `:not([${attribute}])`);
      for (const element of place.querySelectorAll(`${selector}:is(${isUnnamed.join()})`)) {
        for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
      }
    }
  };
  new MutationObserver(name).observe(place, { childList: true, subtree: true });
}
