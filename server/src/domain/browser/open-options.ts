import type { components } from "@remote-browser/contract/types";
import { type BrowserKind, readKind } from "./browser-kind.ts";
import { Failure } from "../failure.ts";
import { Mistakes } from "../mistakes.ts";
import { readLook } from "./look-options.ts";
import type { Size } from "./screen.ts";
import { readIgnoredSwitches, readSwitches } from "../switches/switches.ts";
import { readProxy, type UpstreamProxy } from "../network/upstream-proxy.ts";

const DEFAULT_KEEP_OPEN_S = 30;

/** The options of an Open request: validated against the contract's schema, in the contract's spelling. */
export type WireOptions = components["schemas"]["OpenOptions"];

/** The options that apply only at start. All other options can also be set on a running browser. */
export type LaunchOptions = {
  readonly kind: BrowserKind;
  /** Always true for `chrome-headless-shell`. */
  readonly isHeadless: boolean;
  readonly isStealthy: boolean;
  /** Checked against the allow-list, in the sender's order; then the switches of other options. */
  readonly switches: readonly string[];
  /** Names of default switches to leave out (`--lang`, no value); checked as well. */
  readonly ignoredSwitches: readonly string[];
  /** The memory that it may use; undefined: as much as the deployment allows. Requests can't set it, only plans. */
  readonly memoryBytes?: number | undefined;
  /** Whether pages can use WebGL; undefined: yes. Requests turn it off with arguments, and plans with this. */
  readonly hasWebGl?: boolean | undefined;
};

/** The options of one Open request, with every default filled in. */
export type OpenOptions = LaunchOptions & {
  readonly proxy: UpstreamProxy | undefined;
  /** Inactivity in ms; 0: as long as the plan allows. */
  readonly keepOpenMs: number;
  /** How long it may be open, in ms; 0: as long as the plan allows. */
  readonly lifetimeMs: number;
  readonly label: string | undefined;
  /** As they were sent. */
  readonly tags: readonly string[];
  /** How long the request may take if it has to wait for a place, in ms; 0: it is refused. */
  readonly waitForPlaceMs: number;
  /** The size of the first page in CSS pixels; undefined: the usual one. */
  readonly page: Size | undefined;
};

/**
 * Fills in the defaults and checks what a schema can't.
 * @throws {Failure} `BadRequest` with all mistakes: refused switches, contradictions, and those in the proxy.
 */
export function readOpenOptions(wire: WireOptions): OpenOptions {
  const { Args, IgnoredDefaultArgs, Headless, Stealth, Browser, KeepOpen, Proxy, ...others } = wire;
  const { Label, Tags, Lifetime, WaitForPlace, Screen, Language, TimeZone, ...unread } = others;
  // An option that the contract gains does not compile until it is read here.
  unread satisfies Record<string, never>;
  const kind = readKind(Browser ?? undefined);
  const isHeadless = kind === "chrome-headless-shell" || (Headless ?? false);
  const mistakes = new Mistakes();
  const own = mistakes.attempt(() => at("/Args", () => readSwitches(Args ?? []).switches)) ?? [];
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
    ignoredSwitches: ignored?.switches ?? [],
    proxy,
    keepOpenMs: toMs(KeepOpen ?? DEFAULT_KEEP_OPEN_S),
    lifetimeMs: toMs(Lifetime ?? 0),
    label: Label ?? undefined,
    tags: Tags ?? [],
    waitForPlaceMs: toMs(WaitForPlace ?? 0),
    page: look?.page,
  };
}

/** Milliseconds. The largest numbers mean as long as possible, and stay finite: JSON has no infinity. */
export function toMs(seconds: number): number {
  return Math.min(seconds * 1000, Number.MAX_VALUE);
}

/** Runs the reader of one member and prefixes its error paths with the member's pointer. */
function at<T>(pointer: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Failure) || error.errors === undefined) throw error;
    const errors = error.errors.map(({ path, message }) => ({ path: pointer + path, message }));
    throw new Failure(error.failure, error.message, { cause: error, errors });
  }
}
