import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import { readListedProxy } from "../domain/network/proxy-list.ts";
import type { UpstreamProxy } from "../domain/network/upstream-proxy.ts";

/**
 * The deployment's proxies: comma-separated URLs, or the path of a file with one URL per line, where `#` starts a
 * comment. Issues name a line or a position, but never repeat the value, because it may contain passwords.
 */
export const proxyList = z.string().transform((value, context): readonly UpstreamProxy[] => {
  const entries = value.includes("://") ? splitList(value) : readLines(value);
  if (entries === undefined) context.addIssue("must be a list of proxy URLs or the path of a readable file");
  // Reject an empty list: an operator who sets proxies doesn't expect browsers to connect directly.
  else if (entries.length === 0) context.addIssue("must contain a proxy");
  return (entries ?? []).flatMap(({ location, text }) => {
    const { proxy, mistake } = readListedProxy(text);
    if (mistake !== undefined) context.addIssue({ code: "custom", path: [location], message: mistake });
    return proxy ?? [];
  });
});

type Entry = { readonly location: string; readonly text: string };

function splitList(value: string): Entry[] {
  const entries = value.split(",").map((part, index) => ({ location: `proxy ${index + 1}`, text: part.trim() }));
  return entries.filter(({ text }) => text !== "");
}

/** Returns undefined if the file can't be read. */
function readLines(file: string): Entry[] | undefined {
  try {
    const lines = readFileSync(resolve(file), "utf8").split(/\r?\n/);
    const entries = lines.map((line, index) => ({
      location: `line ${index + 1}`,
      text: line.replace(/(^|\s)#.*$/, "").trim(),
    }));
    return entries.filter(({ text }) => text !== "");
  } catch {
    return undefined;
  }
}
