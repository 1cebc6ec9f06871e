import { setTimeout as sleep } from "node:timers/promises";
import type { KeyedOpens, Services } from "../../../../server/test/interface.ts";
import { type Fault, type Mutant, mutant } from "../../mutant.ts";
import { reused } from "./keys.ts";
import { findOfAny, instead } from "../../faults/use-cases.ts";

/** Simulated time that a browser takes to open, in ms. */
const OPEN_MS = 400;
const NEVER = new AbortController().signal;

/** Changes Open requests with a key, on a server whose browsers take as long to open as real ones. */
function onAbandoned(change: (keyed: KeyedOpens, services: Services) => Partial<KeyedOpens>): Fault {
  return {
    services(services) {
      const slow = instead(services.localBrowsers, {
        async openNew(...call) {
          await sleep(OPEN_MS);
          return services.localBrowsers.openNew(...call);
        },
      });
      // `services.keyed` opens browsers without this delay, so it needs its own.
      const late = instead(services.keyed, {
        async openOnce(...call) {
          await sleep(OPEN_MS);
          return services.keyed.openOnce(...call);
        },
      });
      const slowed = { ...services, localBrowsers: slow };
      return { ...slowed, keyed: instead(late, change(late, slowed)) };
    },
  };
}

/** Faults in Open requests that have a key and whose client disconnects. */
export const ABANDONED_KEY_MUTANTS: readonly Mutant[] = [
  mutant("key-abandoned-cancelled", ["RBS-KEY-16"], "A client disconnect cancels an Open request with a key", () =>
    onAbandoned((keyed, { localBrowsers }) => ({
      async openOnce(call, key) {
        const opened = await keyed.openOnce(call, key);
        if (call.disconnected.aborted) await localBrowsers.find(call.account, { id: opened.id }).close("requested");
        return opened;
      },
    })),
  ),
  mutant("key-abandoned-twice", ["RBS-KEY-16"], "Repeating an Open after a disconnect opens a second browser", () =>
    onAbandoned((keyed) => ({
      async openOnce(call, key) {
        const opened = await keyed.openOnce(call, key);
        return call.disconnected.aborted ? opened : keyed.openOnce(call, `${key}2`);
      },
    })),
  ),
  mutant("key-abandoned-stays", ["RBS-KEY-17"], "A browser stays open although its Open request was abandoned", () =>
    onAbandoned((keyed) => ({
      openOnce: (call, key) => keyed.openOnce({ ...call, disconnected: NEVER }, key),
    })),
  ),
  mutant("key-abandoned-used-closes", ["RBS-KEY-17"], "An abandoned Open's browser closes even if it has clients", () =>
    onAbandoned((keyed, { localBrowsers }) => ({
      async openOnce(call, key) {
        const opened = await keyed.openOnce(call, key);
        // The rule may have closed the browser before this timer fires.
        const close = (): void => void findOfAny(localBrowsers, { id: opened.id })?.close("requested");
        if (call.disconnected.aborted) setTimeout(close, 25_000).unref();
        return opened;
      },
    })),
  ),
  mutant("key-abandoned-repeated-closes", ["RBS-KEY-17"], "An abandoned Open's browser closes despite a retry", () => {
    const abandoned = new Map<string, AbortSignal>();
    return onAbandoned((keyed) => ({
      openOnce(call, key) {
        const first = abandoned.get(key) ?? call.disconnected;
        abandoned.set(key, first);
        return keyed.openOnce(first.aborted ? { ...call, disconnected: first } : call, key);
      },
    }));
  }),
  mutant("key-undone-stays-used", ["RBS-KEY-17"], "An abandoned Open's key isn't freed when its browser closes", () => {
    const labels = new Map<string, string | undefined>();
    return onAbandoned((keyed) => ({
      async openOnce(call, key) {
        const label = labels.has(key) ? labels.get(key) : call.options.label;
        labels.set(key, label);
        if (label !== call.options.label) throw reused();
        return keyed.openOnce(call, key);
      },
    }));
  }),
];
