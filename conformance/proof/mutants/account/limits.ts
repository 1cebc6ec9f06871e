import { setTimeout as sleep } from "node:timers/promises";
import type { Account } from "../../../../server/src/domain/account/account.ts";
import { Failure } from "../../../../server/src/domain/failure.ts";
import type { LocalBrowsers } from "../../../../server/test/interface.ts";
import { type Fault, type Mutant, mutant } from "../../mutant.ts";
import { FEW_UNITS, LIMIT } from "../../plans.ts";
import { beforeContent } from "../../faults/alter.ts";
import { onOpen } from "../../faults/use-cases.ts";

const isLimited = ({ plan }: Account): boolean => plan === "limited";
const refused = (): Failure => new Failure("BrowserLimit", "The account's limit of open browsers has been reached.");

/** Enforces the parallel limit based on a different browser count. */
function withCount(count: (browsers: LocalBrowsers, account: Account) => number): Fault {
  return onOpen(async (call, open, browsers) => {
    const { account } = call;
    if (!isLimited(account)) return open(call);
    if (count(browsers, account) >= LIMIT) throw refused();
    // Simulate a real browser, which takes longer to open than a fake browser.
    await sleep(50);
    return open({ ...call, account: { ...account, parallel: 10_000 } });
  });
}

/** Keeps counting browsers that closed for certain reasons. */
function keepsPlaces(isKept: (reason: string) => boolean, forMs: number): Fault {
  const kept = new Map<string, number>();
  return onOpen(async (call, open, browsers) => {
    const { account } = call;
    const parallel = LIMIT - (kept.get(account.id) ?? 0);
    if (isLimited(account) && parallel <= browsers.list(account).length) throw refused();
    const browser = await open(call);
    void browser.ended.then(({ reason }) => {
      if (!isKept(reason)) return;
      kept.set(account.id, (kept.get(account.id) ?? 0) + 1);
      if (forMs < Infinity) setTimeout(() => kept.set(account.id, (kept.get(account.id) ?? 0) - 1), forMs).unref();
    });
    return browser;
  });
}

/** Faults in the parallel limit and in the count of open browsers. */
export const LIMIT_MUTANTS: readonly Mutant[] = [
  mutant("limit-none", ["RBS-LIMIT-01"], "The parallel limit is not enforced", () => withCount(() => 0)),
  mutant("limit-race", ["RBS-LIMIT-02"], "Browsers that are opening don't count towards the limit", () =>
    withCount((browsers, account) => browsers.list(account).length),
  ),
  mutant("limit-refused-takes-place", ["RBS-LIMIT-05"], "A rejected Open request counts towards the limit", () => {
    const refusals = new Map<string, number>();
    return onOpen(async (call, open, browsers) => {
      const { account } = call;
      const taken = refusals.get(account.id) ?? 0;
      try {
        if (isLimited(account) && browsers.list(account).length + taken >= LIMIT) throw refused();
        return await open(call);
      } catch (error) {
        refusals.set(account.id, taken + 1);
        throw error;
      }
    });
  }),
  mutant("limit-place-late", ["RBS-LIMIT-03"], "A closed browser counts towards the limit for three more seconds", () =>
    keepsPlaces((reason) => reason.endsWith("requested"), 3000),
  ),
  mutant("limit-place-of-exited", ["RBS-LIMIT-04"], "The limit still counts a browser closed with Browser.close", () =>
    keepsPlaces((reason) => reason.endsWith("exited"), Infinity),
  ),
  mutant("limit-place-of-inactive", ["RBS-LIMIT-04"], "The limit still counts a browser closed for inactivity", () =>
    keepsPlaces((reason) => reason.endsWith("inactive"), Infinity),
  ),
  mutant("limit-place-of-abandoned", ["RBS-LIMIT-08"], "An Open whose client disconnects keeps its place", () => {
    const kept = new Map<string, number>();
    return onOpen(async (call, open, browsers) => {
      const { account, disconnected } = call;
      const taken = kept.get(account.id) ?? 0;
      if (isLimited(account) && browsers.list(account).length + taken >= LIMIT) throw refused();
      try {
        // Simulate a real browser, which takes longer to open than a fake browser.
        await sleep(200, undefined, { signal: disconnected });
        return await open(call);
      } catch (error) {
        if (disconnected.aborted) kept.set(account.id, taken + 1);
        throw error;
      }
    });
  }),
  mutant("limit-closes-oldest", ["RBS-LIMIT-01"], "At the limit, Open closes the oldest browser", () =>
    onOpen(async (call, open, browsers) => {
      const { account } = call;
      const [oldest, ...others] = browsers.list(account);
      if (isLimited(account) && others.length + 1 >= LIMIT) await oldest?.close("requested");
      return open(call);
    }),
  ),
  mutant("limit-refused-closes-oldest", ["RBS-LIMIT-06"], "Open fails at the limit but closes the oldest browser", () =>
    onOpen(async (call, open, browsers) => {
      const { account } = call;
      const [oldest, ...others] = browsers.list(account);
      if (!isLimited(account) || others.length + 1 < LIMIT) return open(call);
      await oldest?.close("requested");
      throw refused();
    }),
  ),
  mutant("limit-before-content", ["RBS-LIMIT-07"], "The parallel limit is checked before the options", () =>
    beforeContent("BrowserLimit"),
  ),
  mutant("limit-before-units", ["RBS-UNITS-03"], "The parallel limit is checked before the unit limit", () => {
    let opening = 0;
    return onOpen(async (call, open, browsers) => {
      const { account } = call;
      if (account.plan !== "few") return open(call);
      if (browsers.list(account).length + opening >= FEW_UNITS) throw refused();
      opening += 1;
      try {
        return await open(call);
      } finally {
        opening -= 1;
      }
    });
  }),
];
