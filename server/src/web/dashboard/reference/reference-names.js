// Swagger UI leaves fields without names, and text that scrolls out of a keyboard's reach: both are added as they appear.

/** @type {readonly (readonly [selector: string, attributes: Readonly<Record<string, string>>])[]} */
const ADDED = [
  // It takes the operations for the main part of the page, which is around them.
  ["main", { role: "region", "aria-label": "Operations" }],
  ["textarea", { "aria-label": "Request body" }],
  [".examples-select-element", { "aria-label": "Example" }],
  [":is(pre, table)", { tabindex: "0" }],
];

/** @param {HTMLElement} place What Swagger UI draws in. */
export function keepNamed(place) {
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
