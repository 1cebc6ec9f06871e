import { OPEN, schema } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import type { Account, SendOptions } from "../../session/account.ts";
import { expectEqual, expectRefusal, expectSuccess, expectThat } from "../../session/expect.ts";
import type { Run } from "../../session/run.ts";
import type { Exchange } from "../../target/exchange.ts";
import { LIMITED, onLimited } from "../../scenario/exclusive-account.ts";
import { MAX_LIMIT, open, openUpToLimit } from "../../scenario/fill-to-limit.ts";
import { accountOf } from "../account/account.ts";
import { newKeyedOpen, repeat, withKey } from "../keys/keys.ts";
import { expectAccepted, expectRefused } from "../../scenario/opening.ts";
import { historyPart } from "../../scenario/records.ts";

const FULL = { ...LIMITED, opens: MAX_LIMIT + 2 } as const;
const WAIT = schema("OpenOptions", "WaitForPlace");
const DESCRIPTION = `${OPEN}/description`;

/** A request with no response after this time counts as waiting. */
const WAITING_MS = 700;
/** Longer than any rule waits for a free place. */
const LONG_S = 30;
/** `WaitForPlace` of two requests that share a key. */
const SHARED_S = 5;
/** Upper bound for an immediate rejection by a slow server, much shorter than `LONG_S`. */
const IMMEDIATE_MS = 5000;
const EARLY_MS = 100;
/** Maximum time between a place becoming free and the response. A browser may need a second or more to start. */
const ROOM_MS = 10_000;
/** Maximum time for a server to notice a disconnect and release the client's place. */
const NOTICE_MS = 8000;

/** Open requests that wait for a free place. */
export const PLACE_RULES = scenarios({ capability: "core", since: "1.1" }, [
  {
    ...FULL,
    id: "RBS-PLACE-01",
    at: DESCRIPTION,
    sentence: "waits until the browser can be opened.",
    covers: ["OpenOptions.WaitForPlace"],
    waitsS: 1,
    check: (run) =>
      onFull(run, async (account, first) => {
        const waiting = waitForPlace(run, account, LONG_S);
        await expectWaits(run, waiting);
        expectSuccess(await account.close(first));
        const startedAt = Date.now();
        expectSuccess(await waiting.answer);
        const tookMs = Date.now() - startedAt;
        expectThat(
          tookMs < ROOM_MS,
          "a browser to open soon after Close frees a place",
          `a browser after ${tookMs} ms`,
        );
      }),
  },
  {
    ...FULL,
    id: "RBS-PLACE-02",
    at: WAIT,
    sentence: "By default, and with 0, the request is refused immediately.",
    covers: ["openBrowser 404", "OpenOptions.WaitForPlace"],
    waitsS: 1,
    isDetail: true,
    check: (run) =>
      onFull(run, async (account, first) => {
        const answers = [undefined, null, 0].map((WaitForPlace) => open(run, account, { WaitForPlace }));
        await run.sleep(WAITING_MS);
        // A waiting request would take the freed place.
        expectSuccess(await account.close(first));
        for (const answer of await Promise.all(answers)) expectRefusal(answer, "BrowserLimit");
      }),
  },
  {
    ...FULL,
    id: "RBS-PLACE-03",
    at: DESCRIPTION,
    sentence: "If that takes too long, the response is the same 404 or 503.",
    covers: ["openBrowser 404", "OpenOptions.WaitForPlace"],
    waitsS: 2,
    isDetail: true,
    check: (run) =>
      onFull(run, async (account) => {
        const startedAt = Date.now();
        // If the service rounded to whole seconds, 1.5 would become 1 or 2.
        const { answer } = waitForPlace(run, account, 1.5);
        expectRefusal(await answer, "BrowserLimit");
        const tookMs = Date.now() - startedAt;
        expectThat(tookMs >= 1500 - EARLY_MS, "a rejection after 1.5 s for WaitForPlace 1.5", `a wait of ${tookMs} ms`);
        expectThat(tookMs < IMMEDIATE_MS, "a rejection after 1.5 s for WaitForPlace 1.5", `a wait of ${tookMs} ms`);
      }),
  },
  {
    id: "RBS-PLACE-04",
    at: WAIT,
    sentence: "Fractions are allowed, and the maximum is 45.",
    covers: ["openBrowser 400", "OpenOptions.WaitForPlace"],
    opens: 2,
    isDetail: true,
    async check(run) {
      for (const WaitForPlace of [45, 0.5]) await expectAccepted(run, { WaitForPlace });
      for (const WaitForPlace of [45.1, -1, -0.5, 1e15, true, "30", [30], {}]) {
        await expectRefused(run, { WaitForPlace }, "/WaitForPlace");
      }
      await expectRefused(run, { waitForPlace: 46 }, "/waitForPlace");
    },
  },
  {
    ...FULL,
    id: "RBS-PLACE-05",
    at: DESCRIPTION,
    sentence: "A request whose client disconnects stops waiting: immediately",
    waitsS: 3,
    isDetail: true,
    check: (run) =>
      onFull(run, async (account, first, limit) => {
        await leave(run, waitForPlace(run, account, LONG_S));
        expectSuccess(await account.close(first));
        // Long enough for a waiting request to get the free place.
        await run.sleep(WAITING_MS);
        const countOpen = async (): Promise<unknown> => (await accountOf(account)).open;
        const expected = `fewer than ${limit} open browsers after the waiting client disconnected and a browser was closed,`;
        await run.until(countOpen, (count) => Number(count) < limit, NOTICE_MS, expected);
      }),
  },
  {
    capability: "quota",
    id: "RBS-PLACE-06",
    at: DESCRIPTION,
    sentence: "All other refusals are immediate, too.",
    covers: ["openBrowser 402"],
    needs: ["no-subscription"],
    async check(run) {
      const startedAt = Date.now();
      const options = { Headless: true, Label: run.newLabel(), WaitForPlace: LONG_S };
      expectRefusal(await run.account("no-subscription").open(options), "NoSubscription");
      const tookMs = Date.now() - startedAt;
      expectThat(tookMs < IMMEDIATE_MS, "an immediate rejection without a subscription", `a wait of ${tookMs} ms`);
    },
  },
  {
    ...FULL,
    id: "RBS-PLACE-07",
    at: DESCRIPTION,
    sentence:
      "All requests of the account with the same key and the same options then open one browser and get the same response.",
    covers: ["OpenOptions.WaitForPlace"],
    waitsS: 1,
    isLong: true,
    check: (run) =>
      onFull(run, async (account, first) => {
        const { key, options } = newKeyedOpen(run);
        const waiting = { ...options, WaitForPlace: SHARED_S };
        const answers = ["one", "other"].map(() => open(run, account, waiting, withKey(key)));
        await run.sleep(WAITING_MS);
        expectSuccess(await account.close(first));
        const [one, other] = (await Promise.all(answers)).map((answer) => expectSuccess(answer));
        expectEqual("the second response's id", other?.["id"], one?.["id"]);
      }),
  },
  {
    ...FULL,
    id: "RBS-PLACE-08",
    at: DESCRIPTION,
    sentence: "or after 30 seconds if it has an `Idempotency-Key` and is not repeated by then.",
    waitsS: 2,
    isDetail: true,
    check: (run) =>
      onFull(run, async (account, first) => {
        const { key, options } = newKeyedOpen(run);
        await leave(run, waitForPlace(run, account, LONG_S, options, withKey(key)));
        expectSuccess(await account.close(first));
        const findAddress = async (): Promise<string | undefined> =>
          (await account.listBrowsers()).find(({ label }) => label === options.Label)?.address;
        const expected = "the browser of a request with a key, whose client disconnected, to be listed";
        const listed = await run.until(findAddress, (address) => address !== undefined, ROOM_MS, expected);
        const repeated = { key, options: { ...options, WaitForPlace: LONG_S } };
        const { address } = expectSuccess(await repeat(account, repeated));
        expectThat(address === listed, "the listed browser when the request is repeated", "another browser");
      }),
  },
  {
    ...FULL,
    id: "RBS-PLACE-09",
    at: DESCRIPTION,
    sentence: "While a request waits for the limit, no list shows it, and it does not count towards the limit.",
    waitsS: 1,
    isDetail: true,
    check: (run) =>
      onFull(run, async (account, first, limit) => {
        const Label = run.newLabel();
        const waiting = waitForPlace(run, account, LONG_S, { Label });
        await expectWaits(run, waiting);
        const { open: count } = await accountOf(account);
        expectEqual("the number of open browsers while a request waits", count, limit);
        const listed = (await account.listBrowsers()).filter(({ label }) => label === Label);
        const { browsers } = await historyPart(account, { label: Label });
        expectEqual("the number of browsers listed for a waiting request", listed.length + browsers.length, 0);
        expectSuccess(await account.close(first));
        expectSuccess(await waiting.answer);
      }),
  },
]);

type Waiting = { readonly answer: Promise<Exchange>; readonly gone: AbortController };

function waitForPlace(
  run: Run,
  account: Account,
  WaitForPlace: number,
  options: object = {},
  sending: SendOptions = {},
): Waiting {
  const gone = new AbortController();
  return { gone, answer: open(run, account, { WaitForPlace, ...options }, { ...sending, signal: gone.signal }) };
}

/** Disconnects a request's client once the request waits. */
async function leave(run: Run, { gone, answer }: Waiting): Promise<void> {
  const left = answer.catch(() => {});
  await run.sleep(WAITING_MS);
  gone.abort();
  await left;
  // A disconnect and a request on another connection can arrive in either order.
  await run.sleep(WAITING_MS);
}

async function expectWaits(run: Run, { answer }: Waiting): Promise<void> {
  const early = await Promise.race([answer, run.sleep(WAITING_MS)]);
  const seen = early === undefined ? "none" : `status ${early.received.status}`;
  expectThat(early === undefined, "no response to an Open request with WaitForPlace at the parallel limit", seen);
}

/** Runs a scenario on an account at its limit. @param scenario Receives a browser's address and the browser count. */
function onFull(run: Run, scenario: (account: Account, first: string, limit: number) => Promise<void>): Promise<void> {
  return onLimited(run, async (account, first) => {
    const addresses = await openUpToLimit(run, account, first);
    await scenario(account, first, addresses.length);
  });
}
