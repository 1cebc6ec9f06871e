import { Failure } from "../../domain/failure.ts";
import type { PageReducer } from "../../ports/page-reducer.ts";
import { ThreadOverrun, type Threads, threadScript } from "../../ports/threads.ts";
import { MAX_DEPTH } from "./reduce.ts";
import type { ReduceInput, ReduceOutput } from "./reduce-thread.ts";

const SCRIPT = threadScript(import.meta.url, "reduce-thread");
/** Processor time limit in ms. A normal 4 MiB page takes half a second, but a malicious page could take forever. */
const MAX_MS = 10_000;

/** Parses pages as browsers do, with parse5 in threads: 4 MiB would block the event loop for a third of a second. */
export function newPageReducer(threads: Threads): PageReducer {
  return {
    async reduce(html, maxChars, caller) {
      const input: ReduceInput = { html, maxChars };
      const output = await threads.run(SCRIPT, input, MAX_MS, caller).catch((error: unknown) => {
        if (error instanceof ThreadOverrun) throw badPage("takes too long to read: send the part that matters", error);
        throw error;
      });
      if (output === "too deep") throw badPage(`is nested more than ${MAX_DEPTH} elements deep`);
      return output as Exclude<ReduceOutput, "too deep">;
    },
  };
}

function badPage(message: string, cause?: unknown): Failure {
  return new Failure("BadRequest", `html ${message}.`, { cause, errors: [{ path: "/html", message }] });
}
