import type { components } from "@remote-browser/contract/types";
import { type BrowserKind, readKind } from "./browser-kind.ts";
import { Failure } from "../failure.ts";
import { readIgnoredSwitches, readSwitches } from "../switches/switches.ts";
import { readProxy, type UpstreamProxy } from "../network/upstream-proxy.ts";

const DEFAULT_KEEP_OPEN_S = 30;

/** The wire's options: checked against the contract's schema, in its own spelling. */
export type WireOptions = components["schemas"]["OpenOptions"];

/** What one Open asks for, every default filled in. */
export type OpenOptions = {
  readonly kind: BrowserKind;
  readonly isHeadless: boolean;
  readonly isStealthy: boolean;
  readonly switches: readonly string[];
  readonly ignoredSwitches: readonly string[];
  readonly proxy: UpstreamProxy | undefined;
  /** Inactivity in ms; 0: as long as the plan allows. */
  readonly keepOpenMs: number;
  readonly label: string | undefined;
};

/**
 * Fills in the defaults and checks what a schema can't.
 * @throws {Failure} `BadRequest` that names every refused switch, or what is wrong with the proxy.
 */
export function readOpenOptions(wire: WireOptions): OpenOptions {
  const { Args, IgnoredDefaultArgs, Headless, Stealth, Browser, KeepOpen, Proxy, Label, ...unread } = wire;
  // An option that the contract gains does not compile until somebody reads it here.
  unread satisfies Record<string, never>;
  const kind = readKind(Browser ?? undefined);
  return {
    kind,
    isHeadless: kind === "chrome-headless-shell" || (Headless ?? false),
    isStealthy: Stealth ?? true,
    switches: at("/Args", () => readSwitches(Args ?? []).switches),
    ignoredSwitches: at("/IgnoredDefaultArgs", () => readIgnoredSwitches(IgnoredDefaultArgs ?? []).switches),
    proxy: at("/Proxy", () => (Proxy ? readProxy(Proxy) : undefined)),
    keepOpenMs: (KeepOpen ?? DEFAULT_KEEP_OPEN_S) * 1000,
    label: Label ?? undefined,
  };
}

/** Runs a reader of one member, whose paths are relative to it. */
function at<T>(pointer: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Failure) || error.errors === undefined) throw error;
    const errors = error.errors.map(({ path, message }) => ({ path: pointer + path, message }));
    throw new Failure(error.failure, error.message, { cause: error, errors });
  }
}
