import { CLOSE, INFO, OPEN } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import { describe, expectEqual, expectRefusal, expectSuccess, expectThat } from "../../session/expect.ts";
import type { Account } from "../../session/account.ts";
import type { Run } from "../../session/run.ts";
import { expectAnswer, quit } from "../../scenario/connections.ts";
import { abandonOpen } from "../../target/abandon.ts";
import { connectDevtools } from "../../target/devtools.ts";
import type { Exchange } from "../../target/exchange.ts";
import { LIMITED, onLimited } from "../../scenario/exclusive-account.ts";
import {
  expectMachineNotFull,
  fillToLimit,
  openUpToLimit,
  MAX_LIMIT,
  open,
  openUnlessMachineFull,
} from "../../scenario/fill-to-limit.ts";
import { listOwn } from "../../scenario/foreign-browsers.ts";

const FREE_MS = 15_000;
/** When clients disconnect: before, while and after a typical server starts the browser. */
const ABANDONED_AFTER_MS = [30, 0, 120];
const PARALLEL_LIMIT = "The subscription also limits how many browsers may be open in parallel.";

/** Rules about the parallel limit of accounts. */
export const LIMIT_RULES = scenarios({ ...LIMITED, at: INFO }, [
  {
    id: "RBS-LIMIT-01",
    level: "required",
    sentence: PARALLEL_LIMIT,
    covers: ["openBrowser 404"],
    check: (run) =>
      onLimited(run, async (account, first) => {
        const { refusal } = await fillToLimit(run, account, first);
        if (refusal.received.status === 503) await expectMachineNotFull(run, account);
        expectRefusal(refusal, "BrowserLimit");
      }),
  },
  {
    id: "RBS-LIMIT-02",
    level: "required",
    opens: 2 * MAX_LIMIT + 2,
    sentence: PARALLEL_LIMIT,
    check: (run) =>
      onLimited(run, async (account, first) => {
        const addresses = await openUpToLimit(run, account, first);
        await Promise.all(addresses.map((address) => account.close(address)));
        const limit = addresses.length;
        const answers = await Promise.all(Array.from({ length: limit + 2 }, () => openUnlessMachineFull(run, account)));
        const refusals = answers.filter(({ received }) => received.status !== 200);
        const expected = `${limit} of ${limit + 2} concurrent Open requests to succeed, just as when sent one after the other`;
        expectThat(answers.length - refusals.length === limit, expected, `${answers.length - refusals.length}`);
        for (const refusal of refusals) expectRefusal(refusal, "BrowserLimit");
      }),
  },
  {
    id: "RBS-LIMIT-03",
    at: `${CLOSE}/description`,
    sentence: "and its place within the parallel limit is free",
    check: (run) =>
      onLimited(run, async (account, first) => {
        const addresses = await openUpToLimit(run, account, first);
        for (const address of addresses) {
          expectSuccess(await account.close(address));
          expectOpened(await openUnlessMachineFull(run, account), "Open to succeed as soon as Close has returned");
        }
      }),
  },
  {
    id: "RBS-LIMIT-04",
    waitsS: 3,
    opens: 2 * MAX_LIMIT + 2,
    sentence: "A browser counts from the time its Open request is accepted until it is closed.",
    check: (run) =>
      onLimited(run, async (account, first) => {
        await openUpToLimit(run, account, first);
        await quit(first);
        const next = await expectPlace(run, account, first, "Browser.close");
        expectSuccess(await account.close(next));
        const opening = await openUnlessMachineFull(run, account, { KeepOpen: 1 });
        const { address } = expectOpened(opening, "Open to succeed after Close");
        await expectPlace(run, account, String(address), "a KeepOpen of 1 second");
      }),
  },
  {
    id: "RBS-LIMIT-05",
    opens: MAX_LIMIT + 4,
    sentence: "A refused request changes nothing.",
    check: (run) =>
      onLimited(run, async (account, first) => {
        const addresses = await openUpToLimit(run, account, first);
        for (const _ of ["once", "twice"]) await open(run, account);
        const listed = await listOwn(run, account);
        expectEqual("the number of listed browsers after rejected requests", listed.length, addresses.length);
        expectSuccess(await account.close(first));
        expectOpened(await openUnlessMachineFull(run, account), "a new Open to succeed once Close returns");
      }),
  },
  {
    id: "RBS-LIMIT-06",
    sentence: "A refused request changes nothing.",
    check: (run) =>
      onLimited(run, async (account, first) => {
        await using devtools = await connectDevtools(first);
        const addresses = await openUpToLimit(run, account, first);
        const listed = (await account.listBrowsers()).map(({ address }) => address);
        const isThere = addresses.every((address) => listed.includes(address));
        expectThat(isThere, "a rejected Open not to close any browsers", "a list without one of the browsers");
        await expectAnswer(devtools);
      }),
  },
  {
    id: "RBS-LIMIT-08",
    at: `${OPEN}/description`,
    sentence: "If you disconnect before that, the browser is not opened, and nothing is charged.",
    opens: 3 * MAX_LIMIT + 1,
    isDetail: true,
    check: (run) =>
      onLimited(run, async (account, first) => {
        const addresses = await openUpToLimit(run, account, first);
        await Promise.all(addresses.map((address) => account.close(address)));
        // No server has a warm browser with this window size. If Open is faster than the disconnect, KeepOpen ends it.
        const options = { ...run.lightest, KeepOpen: 1, Args: ["--window-size=1013,711"] };
        const headers = { Authorization: `Bearer ${account.token}` };
        const abandon = (afterMs?: number): Promise<void> =>
          abandonOpen(run.options.baseUrl, headers, { ...options, Label: run.newLabel() }, afterMs);
        await Promise.all(addresses.map((_, at) => abandon(ABANDONED_AFTER_MS[at])));
        const isOpened = async (): Promise<boolean> =>
          (await openUnlessMachineFull(run, account)).received.status === 200;
        // Each browser stays open, so the last one needs the place of the last abandoned request.
        for (const _ of addresses) {
          await run.until(isOpened, (is) => is, FREE_MS, "an Open request to succeed after others were abandoned");
        }
      }),
  },
  {
    id: "RBS-LIMIT-07",
    sentence: "media type (415), content (400), and then whatever the operation itself checks.",
    check: (run) =>
      onLimited(run, async (account, first) => {
        await openUpToLimit(run, account, first);
        expectRefusal(await open(run, account, { KeepOpen: true }), "BadRequest", "/KeepOpen");
      }),
  },
]);

/** @param expected The expectation, for the error message. */
function expectOpened({ received }: Exchange, expected: string): Record<string, unknown> {
  expectThat(received.status === 200, expected, describe(received));
  return expectSuccess({ received });
}

/** Waits until a browser has closed, then opens a new browser. @returns The address of the new browser. */
async function expectPlace(run: Run, account: Account, address: string, by: string): Promise<string> {
  const isGone = async (): Promise<boolean> => (await account.find(address)) === undefined;
  await run.until(isGone, (gone) => gone, FREE_MS, `a browser to close because of ${by}`);
  const expected = `an Open request to succeed after a browser has closed because of ${by}`;
  return String(expectOpened(await openUnlessMachineFull(run, account), expected)["address"]);
}
