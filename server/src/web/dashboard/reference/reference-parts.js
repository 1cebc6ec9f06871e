// Replaces components of Swagger UI so that the operations are visible immediately and reachable by keyboard.

/**
 * @typedef {object} Props Swagger UI's properties that the components below use.
 * @property {string} source
 * @property {string} text
 * @property {string} code
 * @property {{ get(name: string): string }} response
 * @typedef {(props: Props) => unknown} Component
 * @typedef {{ createElement: (type: unknown, props: object | null, ...children: unknown[]) => unknown,
 *   useState: <T>(first: T) => [T, (next: T) => void] }} React
 * @typedef {{ React: React, getComponent: (name: string, isContainer?: boolean) => Component,
 *   specSelectors: { selectInfoDescriptionField: () => string } }} System
 */

/** Collapses the contract's description, which is several pages long. */
export function asGuide() {
  /** @type {(original: Component, system: System) => Component} */
  const wrap =
    (original, { React, specSelectors }) =>
    (props) => {
      const text = React.createElement(original, props);
      if (props.source !== specSelectors.selectInfoDescriptionField()) return text;
      const title = React.createElement("summary", null, "Guide: connecting, lifetimes, units and limits, errors");
      return React.createElement("details", { className: "guide" }, title, text);
    };
  return { wrapComponents: { Markdown: wrap } };
}

/** Renders paths and tags as plain text, because Swagger UI nests their links in buttons that do the same. */
export function asPlainText() {
  /** @type {(original: Component, system: System) => Component} */
  const wrap =
    (_original, { React }) =>
    ({ text }) =>
      React.createElement("span", null, text);
  return { wrapComponents: { DeepLink: wrap } };
}

/** Because most responses are errors, collapses each error to a line that expands to its body and headers. */
export function asShortRefusals() {
  /** @type {(original: Component, system: System) => Component} */
  const wrap = (original, { React, getComponent }) => {
    /** @type {Component} */
    const ShortRefusal = (props) => {
      const [isOpen, setOpen] = React.useState(false);
      if (isOpen || Number(props.code) < 400) return React.createElement(original, props);
      const Markdown = getComponent("Markdown", true);
      const more = React.createElement(
        "button",
        { type: "button", className: "unfold", onClick: () => setOpen(true) },
        "Body and headers",
        React.createElement("span", { className: "unseen" }, ` of ${props.code}`),
      );
      return React.createElement(
        "tr",
        { className: "response", "data-code": props.code },
        React.createElement("td", { className: "response-col_status" }, props.code),
        React.createElement(
          "td",
          { className: "response-col_description" },
          React.createElement(Markdown, { source: props.response.get("description") }),
          more,
        ),
      );
    };
    return ShortRefusal;
  };
  return { wrapComponents: { response: wrap } };
}
