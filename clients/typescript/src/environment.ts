/** A variable of the process; undefined when it is empty or missing, and in web browsers, which have none. */
export function readVariable(name: "RBS_URL" | "RBS_TOKEN"): string | undefined {
  const value = globalThis.process?.env?.[name];
  return value === "" ? undefined : value;
}

/** Web browsers send a `User-Agent` of their own, and let nobody else set it. */
export function isNode(): boolean {
  return typeof globalThis.process?.versions?.node === "string";
}
