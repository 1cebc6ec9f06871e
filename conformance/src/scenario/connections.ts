import { connectDevtools, type Devtools } from "../target/devtools.ts";
import { type Closing } from "../target/socket.ts";
import { expectThat } from "../run/expect.ts";

/** The connection of a client or a viewer. */
type Connected = { closing(withinMs: number): Promise<Closing | undefined> };

/** Tolerance for noticing that a connection or a browser has ended. */
export const LATE_MS = 5000;

/**
 * Checks that a connection stays open.
 * @param whose Names the connection: "the connection of a quiet client".
 * @throws {Violation} When the connection ends.
 */
export async function expectStays(connected: Connected, forMs: number, whose: string): Promise<void> {
  const end = await connected.closing(forMs);
  expectThat(end === undefined, `${whose} to stay open`, `that it was closed with ${end && show(end)}`);
}

/** @throws {Violation} Unless the connection ends soon with exactly this code and reason. */
export async function expectEnd(connected: Connected, code: number, reason: string, whose: string): Promise<void> {
  const end = await connected.closing(LATE_MS);
  const wanted = show({ code, reason });
  const seen = end === undefined ? `that it is still open after ${LATE_MS / 1000} s` : show(end);
  expectThat(seen === wanted, `${whose} to be closed with ${wanted}`, seen);
}

/** @throws {Violation} Unless a command of the client is answered. */
export async function expectAnswer(client: Devtools): Promise<void> {
  const outcome = await client.command("Browser.getVersion");
  expectThat("result" in outcome, "an answer to Browser.getVersion", JSON.stringify(outcome));
}

/** Ends a browser with a DevTools command. The browser may exit before it answers. */
export async function quit(address: string): Promise<void> {
  await using devtools = await connectDevtools(address);
  await devtools.command("Browser.close").catch(() => {});
}

function show({ code, reason }: Closing): string {
  return `${code} ${JSON.stringify(reason)}`;
}
