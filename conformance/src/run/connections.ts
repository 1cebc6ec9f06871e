import type { Closing } from "../target/devtools.ts";
import { expectThat } from "./expect.ts";

/** A client or a viewer, as far as its connection goes. */
type Connected = { closing(withinMs: number): Promise<Closing | undefined> };

/** Ends may be seen so much later than they come about. */
const LATE_MS = 5000;

/**
 * Watches a connection for so many milliseconds.
 * @param whose Names it: "the connection of a quiet client".
 * @throws {Violation} When it ends.
 */
export async function expectStays(connected: Connected, forMs: number, whose: string): Promise<void> {
  const end = await connected.closing(forMs);
  expectThat(end === undefined, `${whose} to stay`, `that it was closed with ${end && show(end)}`);
}

/** @throws {Violation} Unless the connection ends soon, and just like that. */
export async function expectEnd(connected: Connected, code: number, reason: string, whose: string): Promise<void> {
  const end = await connected.closing(LATE_MS);
  const wanted = show({ code, reason });
  const seen = end === undefined ? `that it is still there after ${LATE_MS / 1000} s` : show(end);
  expectThat(seen === wanted, `${whose} to be closed with ${wanted}`, seen);
}

function show({ code, reason }: Closing): string {
  return `${code} ${JSON.stringify(reason)}`;
}
