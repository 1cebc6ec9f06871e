/** Reads an environment variable. Returns undefined when it is empty or missing, and always in web browsers. */
export function readVariable(name: "RBS_URL" | "RBS_TOKEN"): string | undefined {
  const value = globalThis.process?.env?.[name];
  return value === "" ? undefined : value;
}

/** Web browsers send their own `User-Agent`, and don't let scripts set it. */
export function isNode(): boolean {
  return typeof globalThis.process?.versions?.node === "string";
}
