import { connectDevtools, type Devtools } from "../target/devtools.ts";
import { type Closing } from "../target/socket.ts";
import { expectThat } from "../session/expect.ts";

/** A client's or viewer's connection. */
type Connected = { closing(withinMs: number): Promise<Closing | undefined> };

/** Tolerance for detecting that a connection or a browser has ended. */
export const LATE_MS = 5000;

/**
 * Checks that a connection remains open.
 * @param whose Describes the connection: "an idle client's connection".
 * @throws {Violation} If the connection closes.
 */
export async function expectStays(connected: Connected, forMs: number, whose: string): Promise<void> {
  const end = await connected.closing(forMs);
  expectThat(end === undefined, `${whose} to remain open`, `a connection that closed with ${end && show(end)}`);
}

/** @throws {Violation} If the connection doesn't soon close with exactly this code and reason. */
export async function expectEnd(connected: Connected, code: number, reason: string, whose: string): Promise<void> {
  const end = await connected.closing(LATE_MS);
  const wanted = show({ code, reason });
  const seen = end === undefined ? `a connection that is still open after ${LATE_MS / 1000} s` : show(end);
  expectThat(seen === wanted, `${whose} to close with ${wanted}`, seen);
}

/** @throws {Violation} If the browser doesn't respond to a client's command. */
export async function expectAnswer(client: Devtools): Promise<void> {
  const outcome = await client.command("Browser.getVersion");
  expectThat("result" in outcome, "a response to Browser.getVersion", JSON.stringify(outcome));
}

/** Closes a browser with a DevTools command. The browser may exit before responding. */
export async function quit(address: string): Promise<void> {
  await using devtools = await connectDevtools(address);
  await devtools.command("Browser.close").catch(() => {});
}

function show({ code, reason }: Closing): string {
  return `${code} ${JSON.stringify(reason)}`;
}
