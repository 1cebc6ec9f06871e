import type { Readable } from "node:stream";
import type { ProcessOutput } from "../../ports/sandboxes.ts";

const MAX_CHARACTERS = 4000;

/** Reads all that a process writes, and keeps the last of it. */
export function readOutput(stream: Readable): ProcessOutput {
  let tail = "";
  const searches = new Set<() => void>();
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    tail += chunk;
    // Before anything is cut off: a chunk can be longer than what is kept.
    for (const search of searches) search();
    tail = tail.slice(-MAX_CHARACTERS);
  });
  return {
    get tail() {
      return tail;
    },
    find(pattern) {
      const { promise, resolve } = Promise.withResolvers<RegExpExecArray>();
      const search = (): void => {
        const match = pattern.exec(tail);
        if (match === null) return;
        searches.delete(search);
        resolve(match);
      };
      searches.add(search);
      search();
      return promise;
    },
  };
}
