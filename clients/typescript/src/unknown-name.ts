/**
 * The error for an unknown member, which would otherwise be ignored silently.
 * @param path Prefix of the name, for members of members.
 */
export function unknownName(what: "option" | "setting", name: string, known: readonly string[], path = ""): TypeError {
  const meant = known.find((each) => toPlain(each) === toPlain(name));
  const question = meant === undefined ? "" : ` Did you mean ${path}${meant}?`;
  return new TypeError(`There is no ${what} \`${path}${name}\`. The ${what}s are ${known.join(", ")}.${question}`);
}

/** Removes the differences between this language's spelling and the spelling of other languages and the contract. */
function toPlain(name: string): string {
  return name.replaceAll(/[_-]/g, "").toLowerCase();
}
