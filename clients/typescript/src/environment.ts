/** Reads an environment variable. Returns undefined if the variable is empty or missing, and always in web browsers. */
export function readVariable(name: "RBS_URL" | "RBS_TOKEN"): string | undefined {
  const value = globalThis.process?.env?.[name];
  return value === "" ? undefined : value;
}

/** Whether the program runs in Node, or in a compatible runtime, rather than in a web browser. */
export function isNode(): boolean {
  return typeof globalThis.process?.versions?.node === "string";
}
