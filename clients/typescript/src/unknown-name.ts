/**
 * The error for a member that does not exist, which would be overlooked in silence.
 * @param path What stands before the name, for members of members.
 */
export function unknownName(what: "option" | "setting", name: string, known: readonly string[], path = ""): TypeError {
  const meant = known.find((each) => toPlain(each) === toPlain(name));
  const question = meant === undefined ? "" : ` Is ${path}${meant} meant?`;
  return new TypeError(`There is no ${what} \`${path}${name}\`: there are ${known.join(", ")}.${question}`);
}

/** Without what other languages, and the contract, spell in another way. */
function toPlain(name: string): string {
  return name.replaceAll(/[_-]/g, "").toLowerCase();
}
