import { type Fault, type Mutant, mutant } from "../../mutant.ts";
import { type Options, understandAs } from "../../faults/open-options.ts";
import { onNotice, onOpen } from "../../faults/use-cases.ts";

const MAX_TIMER_MS = 2 ** 31 - 1;
/** Maximum lifetime in the plan of the account `limited`. */
const PLAN_MS = 3_600_000;

function onLifetime(alter: (seconds: number) => unknown): Fault {
  return understandAs((options: Options) =>
    typeof options["Lifetime"] === "number" ? { ...options, Lifetime: alter(options["Lifetime"]) } : options,
  );
}

/** Faults in browser lifetimes. */
export const LIFETIME_MUTANTS: readonly Mutant[] = [
  mutant("life-ignored", ["RBS-LIFE-01", "RBS-LIFE-02"], "Lifetime is ignored", () =>
    understandAs((options) => ({ ...options, Lifetime: undefined })),
  ),
  mutant("life-without-clients", ["RBS-LIFE-01", "RBS-LIFE-02"], "Lifetime only closes browsers without clients", () =>
    onOpen(async (call, open) => {
      const browser = await open({ ...call, options: { ...call.options, lifetimeMs: 0 } });
      const { lifetimeMs } = call.options;
      if (lifetimeMs > 0 && lifetimeMs < MAX_TIMER_MS) {
        setTimeout(() => browser.clients === 0 && void browser.close("lifetime"), lifetimeMs).unref();
      }
      return browser;
    }),
  ),
  mutant("life-notice", ["RBS-LIFE-01", "RBS-UPDATE-09"], "When Lifetime expires, the close reason is inactive", () =>
    onNotice((notice) =>
      notice.reason.endsWith("lifetime") ? { ...notice, reason: "browser closed: inactive" } : notice,
    ),
  ),
  mutant("life-early", ["RBS-LIFE-01"], "Browsers close after half of their Lifetime", () =>
    onLifetime((seconds) => seconds / 2),
  ),
  mutant("life-minutes", ["RBS-LIFE-01", "RBS-LIFE-02"], "Lifetime is interpreted as minutes", () =>
    onLifetime((seconds) => seconds * 60),
  ),
  mutant("life-fractions-cut", ["RBS-LIFE-03"], "Lifetime is rounded down to whole seconds", () =>
    onLifetime((seconds) => (seconds < 0 ? seconds : Math.floor(seconds))),
  ),
  mutant("life-zero-at-once", ["RBS-LIFE-04"], "Lifetime 0 closes the browser immediately", () =>
    onLifetime((seconds) => (seconds === 0 ? 0.001 : seconds)),
  ),
  mutant("life-overflow", ["RBS-LIFE-04"], "A browser whose Lifetime overflows a timer closes immediately", () =>
    onLifetime((seconds) => (seconds * 1000 > MAX_TIMER_MS ? 0.001 : seconds)),
  ),
  mutant("life-default", ["RBS-LIFE-05"], "Without Lifetime, browsers close after a day", () =>
    understandAs((options) => ({ ...options, Lifetime: options["Lifetime"] ?? 86_400 })),
  ),
  mutant("life-negative", ["RBS-LIFE-06"], "A negative Lifetime means the maximum", () =>
    onLifetime((seconds) => Math.max(0, seconds)),
  ),
  mutant("life-over-plan", ["RBS-LIFE-07"], "A browser may stay open longer than its plan allows", () =>
    onOpen(async (call, open) => {
      const browser = await open(call);
      const { label, tags, expiry } = browser;
      const { lifetimeMs } = call.options;
      if (lifetimeMs > PLAN_MS) browser.change({ label, tags, expiry: { ...expiry, lifetimeMs } });
      return browser;
    }),
  ),
];
