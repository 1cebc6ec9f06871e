import { setTimeout as sleep } from "node:timers/promises";
import type { KeyedOpens, Services } from "../../../../server/test/interface.ts";
import { type Fault, type Mutant, mutant } from "../../mutant.ts";
import { reused } from "./keys.ts";
import { findOfAny, instead } from "../../faults/use-cases.ts";

/** As long as a real browser takes to open. */
const OPEN_MS = 400;
const NEVER = new AbortController().signal;

/** Changes keyed opens on a server whose browsers take as long to open as real ones. */
function onAbandoned(change: (keyed: KeyedOpens, services: Services) => Partial<KeyedOpens>): Fault {
  return {
    services(services) {
      const slow = instead(services.localBrowsers, {
        async openNew(...call) {
          await sleep(OPEN_MS);
          return services.localBrowsers.openNew(...call);
        },
      });
      // `keyed` still uses the browsers without the delay, so it also needs the delay.
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

/** Keyed Open requests whose client disconnects. */
export const ABANDONED_KEY_MUTANTS: readonly Mutant[] = [
  mutant("key-abandoned-cancelled", ["RBS-KEY-16"], "An Open with a key is cancelled when its client disconnects", () =>
    onAbandoned((keyed, { localBrowsers }) => ({
      async openOnce(call, key) {
        const opened = await keyed.openOnce(call, key);
        if (call.disconnected.aborted) await localBrowsers.find(call.account, { id: opened.id }).close("requested");
        return opened;
      },
    })),
  ),
  mutant("key-abandoned-twice", ["RBS-KEY-16"], "A repetition after a disconnect opens a second browser", () =>
    onAbandoned((keyed) => ({
      async openOnce(call, key) {
        const opened = await keyed.openOnce(call, key);
        return call.disconnected.aborted ? opened : keyed.openOnce(call, `${key}2`);
      },
    })),
  ),
  mutant("key-abandoned-stays", ["RBS-KEY-17"], "The browser of an abandoned Open stays open", () =>
    onAbandoned((keyed) => ({
      openOnce: (call, key) => keyed.openOnce({ ...call, disconnected: NEVER }, key),
    })),
  ),
  mutant("key-abandoned-used-closes", ["RBS-KEY-17"], "An abandoned Open is undone despite a client", () =>
    onAbandoned((keyed, { localBrowsers }) => ({
      async openOnce(call, key) {
        const opened = await keyed.openOnce(call, key);
        // The rule may have closed it by then.
        const close = (): void => void findOfAny(localBrowsers, { id: opened.id })?.close("requested");
        if (call.disconnected.aborted) setTimeout(close, 25_000).unref();
        return opened;
      },
    })),
  ),
  mutant("key-abandoned-repeated-closes", ["RBS-KEY-17"], "A repeated Open is undone if it was abandoned", () => {
    const abandoned = new Map<string, AbortSignal>();
    return onAbandoned((keyed) => ({
      openOnce(call, key) {
        const first = abandoned.get(key) ?? call.disconnected;
        abandoned.set(key, first);
        return keyed.openOnce(first.aborted ? { ...call, disconnected: first } : call, key);
      },
    }));
  }),
  mutant("key-undone-stays-used", ["RBS-KEY-17"], "The key of an Open that was undone stays used", () => {
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
