/**
 * Returns the error for an unknown option or setting, so that typos aren't ignored.
 * @param path Prefix of a nested member's name.
 */
export function unknownName(what: "option" | "setting", name: string, known: readonly string[], path = ""): TypeError {
  const meant = known.find((each) => toPlain(each) === toPlain(name));
  const question = meant === undefined ? "" : ` Did you mean ${path}${meant}?`;
  return new TypeError(`There is no ${what} \`${path}${name}\`. The ${what}s are ${known.join(", ")}.${question}`);
}

/** Normalizes a name, so that spellings such as `keep_open` and `keepOpen` match. */
function toPlain(name: string): string {
  return name.replaceAll(/[_-]/g, "").toLowerCase();
}
