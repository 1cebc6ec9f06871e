import { readFileSync } from "node:fs";

/** A file of the kernel's; undefined when there is none or it is not ours to read. */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** A number that stands alone in a text; Infinity for everything else, such as `max`. */
export function toLimit(text: string | undefined): number {
  return text !== undefined && /^\d+$/.test(text.trim()) ? Number(text) : Infinity;
}
