import { INFO, schema } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import {
  type IdleBrowser,
  type PeriodStart,
  expectGoneAfter,
  expectOpenFor,
  expectOpenNow,
  disconnect,
  openIdle,
  connectWhileOpen,
} from "../../scenario/inactivity.ts";
import { HUGE_S } from "../open/lifetime.ts";

/** Longer than the default, and than the periods of all other rules. */
const LONGER_S = 40;

const KEEP_OPEN = {
  capability: "idle",
  at: schema("OpenOptions", "KeepOpen"),
  covers: ["OpenOptions.KeepOpen"],
} as const;

/** Rules about KeepOpen values that implementations often get wrong. */
export const IDLE_VALUE_RULES = scenarios(KEEP_OPEN, [
  {
    id: "RBS-IDLE-06",
    sentence: "Fractions are allowed.",
    opens: 2,
    waitsS: 4,
    async check(run) {
      // If values were rounded down, 0.4 would become 0, which means the maximum, and 2.9 would become 2.
      const [brief, longer] = await Promise.all([openIdle(run, 0.4), openIdle(run, 2.9)]);
      // The period restarts when the client disconnects, which is timed to within a few milliseconds.
      const left = await disconnect(await connectWhileOpen(longer));
      await Promise.all([
        expectGoneAfter(run, brief, brief, "a browser with KeepOpen 0.4 to close"),
        expectOpenFor(run, longer, left, "KeepOpen 2.9 to keep a browser open for 2.9 s after a client disconnects"),
      ]);
    },
  },
  {
    id: "RBS-IDLE-07",
    sentence: "0, and every value above the maximum lifetime of the account's plan, mean that maximum.",
    opens: 1,
    waitsS: 4,
    isLong: true,
    async check(run) {
      const browser = await openIdle(run, 0);
      await run.sleep(4000);
      await expectOpenNow(run, browser, "with KeepOpen 0, which means the plan's maximum lifetime");
    },
  },
  {
    id: "RBS-IDLE-08",
    sentence: "The default is 30.",
    opens: 2,
    waitsS: 31,
    isLong: true,
    async check(run) {
      const ways = [
        ["without KeepOpen", undefined],
        ["with KeepOpen null", null],
      ] as const;
      await Promise.all(
        ways.map(async ([way, KeepOpen]) => {
          const browser = await openIdle(run, 30, { KeepOpen });
          await expectOpenFor(run, browser, browser, `a browser opened ${way} to stay open for 30 s`);
          await expectGoneAfter(run, browser, browser, `a browser opened ${way} to close after 30 s`);
        }),
      );
    },
  },
  {
    id: "RBS-IDLE-09",
    sentence: "every value above the maximum lifetime of the account's plan, mean that maximum",
    opens: HUGE_S.length,
    waitsS: 5,
    isLong: true,
    async check(run) {
      const browsers = await Promise.all(HUGE_S.map((seconds) => openIdle(run, seconds)));
      await run.sleep(5000);
      for (const browser of browsers) {
        await expectOpenNow(run, browser, `with KeepOpen ${browser.keepOpenMs / 1000}`);
      }
    },
  },
  {
    id: "RBS-IDLE-14",
    at: INFO,
    sentence: "The `KeepOpen` option sets the inactivity period in seconds.",
    opens: 2,
    waitsS: LONGER_S + 1,
    isLong: true,
    async check(run) {
      const [unused, used] = await Promise.all([openIdle(run, LONGER_S), openIdle(run, LONGER_S)]);
      const last = await connectWhileOpen(used);
      await disconnect(await connectWhileOpen(used));
      await run.sleep(1000);
      const left = await disconnect(last);
      const keepOpen = `a browser with KeepOpen ${LONGER_S}`;
      const expectExactly = async (browser: IdleBrowser, began: PeriodStart, after: string): Promise<void> => {
        await expectOpenFor(run, browser, began, `${keepOpen} to stay open for ${LONGER_S} s after ${after}`);
        await expectGoneAfter(run, browser, began, `${keepOpen} to close ${LONGER_S} s after ${after}`);
      };
      await Promise.all([
        expectExactly(unused, unused, "it opened"),
        expectExactly(used, left, "the last of its clients disconnected"),
      ]);
    },
  },
  {
    id: "RBS-IDLE-13",
    sentence: "On a plan without a maximum lifetime, 0 means that the browser stays open until it is closed.",
    opens: 1,
    waitsS: 36,
    isLong: true,
    async check(run) {
      // A server that treats 0 as "not set" would use the default of 30 s. Plans never have a maximum below a minute.
      const browser = await openIdle(run, 0);
      await run.sleep(36_000);
      await expectOpenNow(run, browser, "with KeepOpen 0, which is not the default of 30 s");
    },
  },
]);
