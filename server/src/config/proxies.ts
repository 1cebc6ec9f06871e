import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { readListedProxy } from "../domain/network/proxy-list.ts";
import type { UpstreamProxy } from "../domain/network/upstream-proxy.ts";

/**
 * Reads the operator's proxies.
 * @param value Their URLs, separated by commas, or the path of a file with one a line, where `#` begins a comment; empty:
 *   there are none.
 * @returns Mistakes in words that show nothing of the value, since it may hold passwords.
 */
export function readProxies(value: string): {
  readonly proxies: readonly UpstreamProxy[];
  readonly mistakes: readonly string[];
} {
  if (value === "") return { proxies: [], mistakes: [] };
  const entries = value.includes("://") ? readList(value) : readLines(value);
  if (entries === undefined) {
    return { proxies: [], mistakes: ["it is neither a list of proxy URLs nor the path of a readable file"] };
  }
  // An operator who names a list wants no browser to go out without a proxy.
  if (entries.length === 0) return { proxies: [], mistakes: ["there is no proxy in it"] };
  const read = entries.map(({ place, text }) => ({ place, ...readListedProxy(text) }));
  return {
    proxies: read.flatMap(({ proxy }) => proxy ?? []),
    mistakes: read.flatMap(({ place, mistake }) => (mistake === undefined ? [] : `${place} ${mistake}`)),
  };
}

type Entry = { readonly place: string; readonly text: string };

function readList(value: string): Entry[] {
  const entries = value.split(",").map((part, index) => ({ place: `proxy ${index + 1}`, text: part.trim() }));
  return entries.filter(({ text }) => text !== "");
}

/** Undefined when the file can't be read. */
function readLines(file: string): Entry[] | undefined {
  try {
    const lines = readFileSync(resolve(file), "utf8").split(/\r?\n/);
    const entries = lines.map((line, index) => ({
      place: `line ${index + 1}`,
      text: line.replace(/(^|\s)#.*$/, "").trim(),
    }));
    return entries.filter(({ text }) => text !== "");
  } catch {
    return undefined;
  }
}
