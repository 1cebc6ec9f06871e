import { randomInt } from "node:crypto";
import { OPEN } from "../pointers.ts";
import { NeverApplicable, Undecidable, Violation } from "../../target/violation.ts";
import { scenarios } from "../rule.ts";
import { expectStays } from "../../scenario/connections.ts";
import { describe, expectEqual, expectSuccess, expectThat } from "../../session/expect.ts";
import type { Run } from "../../session/run.ts";
import { abandonOpen } from "../../target/abandon.ts";
import { connectDevtools } from "../../target/devtools.ts";
import type { Exchange } from "../../target/exchange.ts";
import { countListed, type KeyedOpen, newKeyedOpen, repeat, withKey } from "./keys.ts";
import { NOTICEABLE_MS, openMs } from "../open/open.ts";

const DESCRIPTION = `${OPEN}/description`;

/** Maximum wait for an Open whose client has disconnected. */
const OPENING_S = 20;
/** How long an abandoned Open is kept before its browser is closed. */
const KEPT_S = 30;
/** Time limit for a server to notice that the client has disconnected and to close the browser. */
const GONE_S = 10;
const POLL_MS = 500;
/** Maximum number of tries. Each disconnects sooner than the last, because a fast Open may respond first. */
const TRIES = 3;
const HEIGHTS = [500, 900] as const;

/** Rules about the Idempotency-Keys of clients that disconnect before the response. */
export const ABANDONED_KEY_RULES = scenarios({ capability: "core", since: "1.1" }, [
  {
    id: "RBS-KEY-16",
    at: DESCRIPTION,
    sentence: "If you disconnect, it goes on for 30 seconds",
    opens: 4 + TRIES,
    atOnce: 2,
    isDetail: true,
    async check(run) {
      const { address, open } = await openAbandoned(run, await openingMsOf(run));
      const [first, second] = [
        expectSuccess(await repeat(run.main, open)),
        expectSuccess(await repeat(run.main, open)),
      ];
      const isSame = first["address"] === address;
      expectThat(isSame, "the browser that the abandoned request opened", "another one");
      expectEqual("the response to the second repetition of the request", second, first);
      const count = await countListed(run, open.options.Label);
      expectEqual("the number of browsers opened by requests with the same key", count, 1);
    },
  },
  {
    id: "RBS-KEY-17",
    at: DESCRIPTION,
    sentence: "if you have not repeated the request or connected to the browser by then, it is undone",
    opens: 5 + 3 * TRIES,
    atOnce: 4,
    waitsS: KEPT_S + GONE_S,
    isLong: true,
    async check(run) {
      const { main } = run;
      const openingMs = await openingMsOf(run);
      const { open: unused, ...left } = await openAbandoned(run, openingMs);
      const { open: repeated } = await openAbandoned(run, openingMs);
      const { id } = expectSuccess(await repeat(main, repeated));
      const { address } = await openAbandoned(run, openingMs);
      await using client = await connectDevtools(address);
      await run.sleep(KEPT_S * 1000);
      if (openingMs < NOTICEABLE_MS && (await countListed(run, unused.options.Label)) > 0) {
        await main.close(left.address);
        await main.close(address);
        throw tooQuick(openingMs);
      }
      const count = (): Promise<number> => countListed(run, unused.options.Label);
      await run.until(count, (listed) => listed === 0, GONE_S * 1000, "the abandoned browser to be closed");
      await expectStays(client, 300, "the connection to a browser whose Open was abandoned");
      expectEqual("the number of browsers after a repeated request", await countListed(run, repeated.options.Label), 1);
      expectEqual("the id after the request is repeated", expectSuccess(await repeat(main, repeated))["id"], id);
      // A key still in use would be rejected, because the options differ.
      const other = { ...unused.options, Label: run.newLabel() };
      const next = expectSuccess(await repeat(main, { ...unused, options: other }));
      expectThat(next["address"] !== left.address, "a new browser for an unused key", "the abandoned browser");
      await main.close(address);
    },
  },
]);

/** Returns how long Open takes. Measures twice, because a busy machine can slow down a single request. */
async function openingMsOf(run: Run): Promise<number> {
  return Math.min(await openMs(run, run.lightest), await openMs(run, run.lightest));
}

/**
 * Sends an Open request and disconnects before the response. Waits until the browser is listed.
 * @param openingMs How long an Open takes on this deployment.
 * @throws {NotApplicable} If Open responds too fast for a client to disconnect first.
 * @throws {Undecidable} If the response always arrives before it disconnects, on every try.
 */
async function openAbandoned(
  run: Run,
  openingMs: number,
): Promise<{ readonly address: string; readonly open: KeyedOpen }> {
  for (let tries = 1; ; tries += 1) {
    const { key, options } = newKeyedOpen(run);
    // No server has a warm browser with this window size.
    const open = { key, options: { ...options, Args: [`--window-size=1013,${randomInt(...HEIGHTS)}`] } };
    const expectedMs = openingMs < NOTICEABLE_MS ? openingMs : Math.max(NOTICEABLE_MS, openingMs / 2 ** (tries - 1));
    const answer = await sendAndLeave(run, open, expectedMs);
    if (answer === undefined) return { address: await findAbandoned(run, open, openingMs), open };
    if (tries === TRIES) {
      const what = `${describe(answer.received)} within ${expectedMs / 2} ms`;
      throw new Undecidable(`Open returned ${what}, before the client disconnected.`);
    }
    await run.main.close(String(expectSuccess(answer)["address"]));
  }
}

/** @returns The response, or undefined if the client disconnected first. */
async function sendAndLeave(run: Run, { key, options }: KeyedOpen, openingMs: number): Promise<Exchange | undefined> {
  const { main } = run;
  if (openingMs < NOTICEABLE_MS) {
    const headers = { Authorization: `Bearer ${main.token}`, ...withKey(key).headers };
    await abandonOpen(run.options.baseUrl, headers, options);
    return undefined;
  }
  const signal = AbortSignal.timeout(Math.floor(openingMs / 2));
  try {
    return await main.open(options, { ...withKey(key), signal });
  } catch (error) {
    if (!signal.aborted) throw error;
    return undefined;
  }
}

/** Waits until the browser of an abandoned Open is listed. @returns The browser's address. */
async function findAbandoned(run: Run, { options }: KeyedOpen, openingMs: number): Promise<string> {
  const { main } = run;
  for (const deadline = Date.now() + OPENING_S * 1000; Date.now() < deadline; await run.sleep(POLL_MS)) {
    const found = (await main.listBrowsers()).find(({ label }) => label === options.Label);
    if (found !== undefined) return found.address;
  }
  if (openingMs < NOTICEABLE_MS) throw tooQuick(openingMs);
  const expected = "an Open with an Idempotency-Key to continue when the client disconnects";
  throw new Violation({ expected, seen: `no browser in the list after ${OPENING_S} s` });
}

function tooQuick(ms: number): NeverApplicable {
  return new NeverApplicable(`Open takes only ${ms} ms, so a client can't disconnect before this deployment responds.`);
}
