/** The value of a switch; the last of that name counts. @returns Undefined when it is not there, `""` when it has none. */
export function valueOf(switches: readonly string[], name: `--${string}`): string | undefined {
  return switches.findLast((each) => nameOf(each) === name)?.slice(name.length + 1);
}

/** The part of a switch before its `=`. */
export function nameOf(given: string): string {
  const [name = given] = given.split("=", 1);
  return name;
}
