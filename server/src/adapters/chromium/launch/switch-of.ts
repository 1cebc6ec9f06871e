/** Returns the value of the last switch with this name: undefined if it is missing, `""` if it has no value. */
export function valueOf(switches: readonly string[], name: `--${string}`): string | undefined {
  return switches.findLast((each) => nameOf(each) === name)?.slice(name.length + 1);
}

/** The part of a switch before its `=`. */
export function nameOf(text: string): string {
  const [name = text] = text.split("=", 1);
  return name;
}
