import type { Fault, Mutant } from "../mutant.ts";
import { onNotice } from "./closing.ts";
import { type Options, understandAs } from "./open-options.ts";
import { onBrowsers } from "./use-cases.ts";

const MAX_TIMER_MS = 2 ** 31 - 1;
/** Of the plan of the account `limited`. */
const PLAN_MS = 3_600_000;

function onLifetime(alter: (seconds: number) => unknown): Fault {
  return understandAs((options: Options) =>
    typeof options["Lifetime"] === "number" ? { ...options, Lifetime: alter(options["Lifetime"]) } : options,
  );
}

/** How long browsers live. */
export const LIFETIME_MUTANTS: readonly Mutant[] = [
  {
    id: "life-ignored",
    title: "Lifetime is ignored",
    killedBy: ["RBS-LIFE-01", "RBS-LIFE-02"],
    fault: () => understandAs((options) => ({ ...options, Lifetime: undefined })),
  },
  {
    id: "life-without-clients",
    title: "Lifetime only ends browsers without clients",
    killedBy: ["RBS-LIFE-01"],
    fault: () =>
      onBrowsers((browsers) => ({
        async openNew(call, ...rest) {
          const browser = await browsers.openNew({ ...call, options: { ...call.options, lifetimeMs: 0 } }, ...rest);
          const { lifetimeMs } = call.options;
          if (lifetimeMs > 0 && lifetimeMs < MAX_TIMER_MS) {
            setTimeout(() => browser.clients === 0 && void browser.close("lifetime"), lifetimeMs).unref();
          }
          return browser;
        },
      })),
  },
  {
    id: "life-notice",
    title: "Clients of a browser that reached its lifetime receive the reason of an inactive one",
    killedBy: ["RBS-LIFE-01", "RBS-UPDATE-09"],
    fault: () =>
      onNotice((notice) =>
        notice.reason.endsWith("lifetime") ? { ...notice, reason: "browser closed: inactive" } : notice,
      ),
  },
  {
    id: "life-early",
    title: "Browsers close after half of their Lifetime",
    killedBy: ["RBS-LIFE-01"],
    fault: () => onLifetime((seconds) => seconds / 2),
  },
  {
    id: "life-minutes",
    title: "Lifetime is in minutes",
    killedBy: ["RBS-LIFE-01", "RBS-LIFE-02"],
    fault: () => onLifetime((seconds) => seconds * 60),
  },
  {
    id: "life-fractions-cut",
    title: "Lifetime is rounded down to whole seconds",
    killedBy: ["RBS-LIFE-03"],
    fault: () => onLifetime((seconds) => (seconds < 0 ? seconds : Math.floor(seconds))),
  },
  {
    id: "life-zero-at-once",
    title: "Lifetime 0 closes the browser at once",
    killedBy: ["RBS-LIFE-04"],
    fault: () => onLifetime((seconds) => (seconds === 0 ? 0.001 : seconds)),
  },
  {
    id: "life-overflow",
    title: "A Lifetime that overflows a timer closes the browser at once",
    killedBy: ["RBS-LIFE-04"],
    fault: () => onLifetime((seconds) => (seconds * 1000 > MAX_TIMER_MS ? 0.001 : seconds)),
  },
  {
    id: "life-default",
    title: "Without Lifetime, browsers close after a day",
    killedBy: ["RBS-LIFE-05"],
    fault: () => understandAs((options) => ({ ...options, Lifetime: options["Lifetime"] ?? 86_400 })),
  },
  {
    id: "life-negative",
    title: "A negative Lifetime means the maximum",
    killedBy: ["RBS-LIFE-06"],
    fault: () => onLifetime((seconds) => Math.max(0, seconds)),
  },
  {
    id: "life-over-plan",
    title: "A browser may live longer than its plan allows",
    killedBy: ["RBS-LIFE-07"],
    fault: () =>
      onBrowsers((browsers) => ({
        async openNew(call, ...rest) {
          const browser = await browsers.openNew(call, ...rest);
          const { label, tags, expiry } = browser;
          const { lifetimeMs } = call.options;
          if (lifetimeMs > PLAN_MS) browser.change({ label, tags, expiry: { ...expiry, lifetimeMs } });
          return browser;
        },
      })),
  },
];
