import { setTimeout as sleep } from "node:timers/promises";
import type { Account } from "../../../../server/src/domain/account/account.ts";
import type { OpenOptions } from "../../../../server/src/domain/browser/open-options.ts";
import { Failure } from "../../../../server/src/domain/failure.ts";
import type { KeyedOpens, LocalBrowsers, OpenCall, Services } from "../../../../server/test/interface.ts";
import { type Fault, type Mutant, mutant } from "../../mutant.ts";
import { LIMIT } from "../../plans.ts";
import { onAnswer } from "../../faults/alter.ts";
import { onKeyed, onOpen } from "../../faults/use-cases.ts";

type Opened = Awaited<ReturnType<KeyedOpens["openOnce"]>>;
type First = { readonly options: OpenOptions; readonly opened: Opened };

const isLimited = ({ plan }: Account): boolean => plan === "limited";
const limit = (): Failure => new Failure("BrowserLimit", "The account's limit of open browsers has been reached.");
const noUnits = (): Failure => new Failure("NoUnits", "All units for this month have been used.");
/** Creates the failure for a key that was already used with different options. */
export const reused = (): Failure =>
  new Failure("IdempotencyKeyReused", "The key was already used with different options.");
const isFull = (localBrowsers: LocalBrowsers, account: Account): boolean =>
  isLimited(account) && localBrowsers.list(account).length >= LIMIT;

/** Changes repeated requests. @param again Handles a request whose key was used before. */
function onRepetition(
  again: (first: First, services: Services, call: OpenCall, key: string) => Promise<Opened>,
): Fault {
  const firsts = new Map<string, First>();
  return onKeyed((keyed, services) => ({
    async openOnce(call, key) {
      const { account, options } = call;
      const name = `${account.id} ${key}`;
      const first = firsts.get(name);
      if (first !== undefined) return again(first, services, call, key);
      const opened = await keyed.openOnce(call, key);
      firsts.set(name, { options, opened });
      return opened;
    },
  }));
}

/** Changes how repeats of failed requests are handled. @param again Handles a repeat. */
function onRefused(again: (error: Failure, services: Services, call: OpenCall, key: string) => Promise<Opened>): Fault {
  const refused = new Map<string, Failure>();
  return onKeyed((keyed, services) => ({
    async openOnce(call, key) {
      const name = `${call.account.id} ${key}`;
      const before = refused.get(name);
      if (before !== undefined) return again(before, services, call, key);
      try {
        return await keyed.openOnce(call, key);
      } catch (error) {
        if (error instanceof Failure) refused.set(name, error);
        throw error;
      }
    },
  }));
}

/** Changes the handling of repeated requests whose browser has closed. @param again Handles a repeated request. */
function onceClosed(again: (first: First, services: Services, call: OpenCall, key: string) => Promise<Opened>): Fault {
  return onRepetition((first, services, call, key) => {
    const isOpen = services.localBrowsers.list(call.account).some(({ id }) => id === first.opened.id);
    return isOpen ? services.keyed.openOnce(call, key) : again(first, services, call, key);
  });
}

/**
 * Changes how concurrent requests with the same key are handled. @param again Handles every request except the first.
 */
function onceOpening(again: (services: Services, call: OpenCall, key: string) => Promise<Opened>): Fault {
  const opening = new Set<string>();
  return onKeyed((keyed, services) => ({
    async openOnce(call, key) {
      const name = `${call.account.id} ${key}`;
      if (opening.has(name)) return again(services, call, key);
      opening.add(name);
      try {
        // Simulate a real browser, which takes longer to open than a fake browser.
        await sleep(50);
        return await keyed.openOnce(call, key);
      } finally {
        opening.delete(name);
      }
    },
  }));
}

/** Faults in matching requests by key, and in the responses to repeated requests. */
export const KEY_MUTANTS: readonly Mutant[] = [
  mutant("key-race", ["RBS-KEY-03"], "Concurrent requests with the same key each open a browser", () =>
    onceOpening(({ localBrowsers }, call) => localBrowsers.openNew(call)),
  ),
  mutant("key-in-use-at-once", ["RBS-KEY-03"], "Concurrent requests with the same key are rejected", () =>
    onceOpening(() => Promise.reject(new Failure("IdempotencyKeyInUse", "The key is in use.", { retryAfterS: 1 }))),
  ),
  mutant("key-other-options-accepted", ["RBS-KEY-04"], "A used key returns its browser even if options differ", () =>
    onRepetition(({ opened }) => Promise.resolve(opened)),
  ),
  mutant("key-only-label-compared", ["RBS-KEY-04"], "Only the labels of repeated requests are compared", () =>
    onRepetition(({ options, opened }, _services, call) =>
      call.options.label === options.label ? Promise.resolve(opened) : Promise.reject(reused()),
    ),
  ),
  mutant("key-reused-opens", ["RBS-KEY-04"], "A rejected request with a used key opens a browser", () =>
    onRepetition(async (_first, { keyed, localBrowsers }, call, key) => {
      try {
        return await keyed.openOnce(call, key);
      } catch (error) {
        await localBrowsers.openNew(call);
        throw error;
      }
    }),
  ),
  mutant("key-free-after-close", ["RBS-KEY-05"], "A key can be reused after its browser has closed", () =>
    onceClosed((_first, { localBrowsers }, call) => localBrowsers.openNew(call)),
  ),
  mutant("key-lost-after-close", ["RBS-KEY-05"], "A repeated Open request is rejected if its browser has closed", () =>
    onceClosed(() => Promise.reject(reused())),
  ),
  mutant("key-options-lost-after-close", ["RBS-KEY-05"], "A closed browser's key accepts different options", () =>
    onceClosed(({ opened }) => Promise.resolve(opened)),
  ),
  mutant("key-any-case", ["RBS-KEY-06"], "Keys are case-insensitive", () =>
    onKeyed((keyed) => ({
      openOnce: (call, key) => keyed.openOnce(call, key.toLowerCase()),
    })),
  ),
  mutant("key-first-characters", ["RBS-KEY-06"], "Only the first 36 characters of a key are compared", () =>
    onKeyed((keyed) => ({
      openOnce: (call, key) => keyed.openOnce(call, key.slice(0, 36)),
    })),
  ),
  mutant("key-of-all-accounts", ["RBS-ISO-08"], "Accounts share keys and can receive each other's browsers", () => {
    const firsts = new Map<string, Opened>();
    return onKeyed((keyed) => ({
      async openOnce(call, key) {
        const opened = firsts.get(key) ?? (await keyed.openOnce(call, key));
        firsts.set(key, opened);
        return opened;
      },
    }));
  }),
  mutant("key-of-another-account-refused", ["RBS-ISO-08"], "A key that another account has used is rejected", () => {
    const owners = new Map<string, string>();
    return onKeyed((keyed) => ({
      async openOnce(call, key) {
        const { id } = call.account;
        const owner = owners.get(key) ?? id;
        owners.set(key, owner);
        if (owner !== id) throw reused();
        return keyed.openOnce(call, key);
      },
    }));
  }),
  mutant("key-not-needed", ["RBS-KEY-10"], "Without a key, Open returns an open browser with the same options", () =>
    onOpen(async (call, open, localBrowsers) => {
      const { label } = call.options;
      const same = localBrowsers.list(call.account).find((browser) => label !== undefined && browser.label === label);
      return same ?? open(call);
    }),
  ),
  mutant("key-refusal-repeated", ["RBS-KEY-12"], "A failed Open request fails again when it is repeated", () =>
    onRefused((error) => Promise.reject(error)),
  ),
  mutant("key-refused-stays-used", ["RBS-KEY-12"], "The key of a failed Open request can't be used again", () =>
    onRefused(() => Promise.reject(reused())),
  ),
  mutant("key-after-limit", ["RBS-KEY-13"], "A repeated Open is rejected when the parallel limit is reached", () =>
    onRepetition((_first, { keyed, localBrowsers }, call, key) =>
      isFull(localBrowsers, call.account) ? Promise.reject(limit()) : keyed.openOnce(call, key),
    ),
  ),
  mutant("key-reused-after-limit", ["RBS-KEY-13"], "The parallel limit is checked before a used key's options", () =>
    onRepetition(async (_first, { keyed, localBrowsers }, call, key) => {
      try {
        return await keyed.openOnce(call, key);
      } catch (error) {
        throw isFull(localBrowsers, call.account) ? limit() : error;
      }
    }),
  ),
  mutant("key-repetition-charged", ["RBS-KEY-14"], "A repeated Open request costs a unit", () => {
    let repetitions = 0;
    const counted = onRepetition((_first, { keyed }, call, key) => {
      if (isLimited(call.account)) repetitions += 1;
      return keyed.openOnce(call, key);
    });
    const shown = onAnswer("getAccount", ({ body }) =>
      body["plan"] === "limited" ? { body: { ...body, unitsUsed: Number(body["unitsUsed"]) + repetitions } } : {},
    );
    return { ...counted, ...shown };
  }),
  mutant("key-after-units", ["RBS-KEY-15"], "A repeated Open request is rejected when the units are used up", () =>
    onRepetition((_first, { keyed }, call, key) =>
      call.account.plan === "few" ? Promise.reject(noUnits()) : keyed.openOnce(call, key),
    ),
  ),
  mutant("key-reused-after-units", ["RBS-KEY-15"], "The unit limit is checked before a used key's options", () =>
    onRepetition(async (_first, { keyed }, call, key) => {
      try {
        return await keyed.openOnce(call, key);
      } catch (error) {
        throw call.account.plan === "few" ? noUnits() : error;
      }
    }),
  ),
];
