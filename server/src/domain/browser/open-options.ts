import type { components } from "@remote-browser/contract/types";
import { type BrowserKind, readKind } from "./browser-kind.ts";
import { Failure } from "../failure.ts";
import { Mistakes } from "../mistakes.ts";
import { readLook } from "./look-options.ts";
import type { Size } from "./screen.ts";
import { readIgnoredSwitches, readSwitches } from "../switches/switches.ts";
import { readProxy, type UpstreamProxy } from "../network/upstream-proxy.ts";

const DEFAULT_KEEP_OPEN_S = 30;

/** The body of an Open request, validated against the contract's schema. */
export type WireOptions = components["schemas"]["OpenOptions"];

/** The options that apply only when a browser starts. All other options can also be set on a running browser. */
export type LaunchOptions = {
  readonly kind: BrowserKind;
  /** Always true for `chrome-headless-shell`. */
  readonly isHeadless: boolean;
  readonly isStealthy: boolean;
  /** The allowed arguments in the sender's order, followed by the switches for other options. */
  readonly switches: readonly string[];
  /** The allowed names of default switches to omit (`--lang`, without a value). */
  readonly ignoredSwitches: readonly string[];
  /** The memory limit, which only plans can set; undefined: the deployment's limit. */
  readonly memoryBytes?: number | undefined;
  /** Whether pages can use WebGL; undefined: yes. Only plans set it. Requests use arguments instead. */
  readonly hasWebGl?: boolean | undefined;
};

/** The options of one Open request, with every default filled in. */
export type OpenOptions = LaunchOptions & {
  readonly proxy: UpstreamProxy | undefined;
  /** The inactivity period in ms; 0: as long as the plan allows. */
  readonly keepOpenMs: number;
  /** The maximum lifetime in ms; 0: as long as the plan allows. */
  readonly lifetimeMs: number;
  readonly label: string | undefined;
  readonly tags: readonly string[];
  /** The maximum wait for a place, in ms; 0: no wait. */
  readonly waitForPlaceMs: number;
  /** The first page's size in CSS pixels; undefined: the default size. */
  readonly page: Size | undefined;
};

/**
 * Fills in the defaults and applies the checks that a schema can't express.
 * @throws {Failure} `BadRequest` with all mistakes: rejected switches, contradictions, and an invalid proxy.
 */
export function readOpenOptions(wire: WireOptions): OpenOptions {
  const { Args, IgnoredDefaultArgs, Headless, Stealth, Browser, KeepOpen, Proxy, ...others } = wire;
  const { Label, Tags, Lifetime, WaitForPlace, Screen, Language, TimeZone, ...unread } = others;
  // If an option is added to the contract, this line doesn't compile until the option is read above.
  unread satisfies Record<string, never>;
  const kind = readKind(Browser ?? undefined);
  const isHeadless = kind === "chrome-headless-shell" || (Headless ?? false);
  const mistakes = new Mistakes();
  const own = mistakes.attempt(() => at("/Args", () => readSwitches(Args ?? []))) ?? [];
  const look = mistakes.attempt(() => readLook({ Screen, Language, TimeZone }, isHeadless, own));
  const ignored = mistakes.attempt(() =>
    at("/IgnoredDefaultArgs", () => readIgnoredSwitches(IgnoredDefaultArgs ?? [])),
  );
  const proxy = Proxy ? mistakes.attempt(() => at("/Proxy", () => readProxy(Proxy))) : undefined;
  mistakes.throwIfAny();
  return {
    kind,
    isHeadless,
    isStealthy: Stealth ?? true,
    switches: look?.switches ?? [],
    ignoredSwitches: ignored ?? [],
    proxy,
    keepOpenMs: toMs(KeepOpen ?? DEFAULT_KEEP_OPEN_S),
    lifetimeMs: toMs(Lifetime ?? 0),
    label: Label ?? undefined,
    tags: Tags ?? [],
    waitForPlaceMs: toMs(WaitForPlace ?? 0),
    page: look?.page,
  };
}

/** Converts seconds to milliseconds. The result is always finite, because JSON has no infinity. */
export function toMs(seconds: number): number {
  return Math.min(seconds * 1000, Number.MAX_VALUE);
}

/** Runs a member's reader and prefixes its error paths with the member's pointer. */
function at<T>(pointer: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Failure) || error.errors === undefined) throw error;
    const errors = error.errors.map(({ path, message }) => ({ path: pointer + path, message }));
    throw new Failure(error.failure, error.message, { cause: error, errors });
  }
}
