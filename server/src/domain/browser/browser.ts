import type { EndReason } from "./end.ts";

/** When an open browser closes automatically. */
export type Expiry = {
  /** Inactivity period after which the browser closes, in ms. Undefined: the browser never closes for inactivity. */
  readonly keepOpenMs: number | undefined;
  /** The maximum lifetime in ms; undefined: no limit. */
  readonly lifetimeMs: number | undefined;
};

/**
 * @param asked Open's options, in ms. Options that are 0 or above the maximum lifetime are replaced by that maximum.
 * @param maxLifetimeMs The plan's maximum lifetime; undefined: no limit.
 */
export function toExpiry(
  asked: { readonly keepOpenMs: number; readonly lifetimeMs: number },
  maxLifetimeMs: number | undefined,
): Expiry {
  return {
    keepOpenMs: toLimit(asked.keepOpenMs, maxLifetimeMs),
    lifetimeMs: toLimit(asked.lifetimeMs, maxLifetimeMs),
  };
}

/** Returns a time limit in ms. Replaces 0 and values above the maximum lifetime with that maximum. */
export function toLimit(ms: number, maxLifetimeMs: number | undefined): number | undefined {
  return ms === 0 || ms > (maxLifetimeMs ?? Infinity) ? maxLifetimeMs : ms;
}

type Opening = { readonly state: "opening"; readonly id: string; readonly requestedAt: Date };

export type Open = {
  readonly state: "open";
  readonly id: string;
  readonly openedAt: Date;
  readonly expiry: Expiry;
  /** Number of connected DevTools clients and desktop viewers. */
  readonly clients: number;
  /** When the last client disconnected; undefined while a client is connected. */
  readonly idleSince: Date | undefined;
};

type Closed = {
  readonly state: "closed";
  readonly id: string;
  readonly closedAt: Date;
  readonly reason: EndReason;
};

export type Browser = Opening | Open | Closed;

export type BrowserEvent =
  | { readonly type: "opened"; readonly at: Date; readonly expiry: Expiry }
  | { readonly type: "joined"; readonly at: Date }
  | { readonly type: "left"; readonly at: Date }
  | { readonly type: "changed"; readonly expiry: Expiry }
  | { readonly type: "ended"; readonly at: Date; readonly reason: EndReason };

/** Returns the browser's state after an event, or the same object if the event is late. */
export function next(browser: Browser, event: BrowserEvent): Browser {
  switch (event.type) {
    case "opened":
      if (browser.state !== "opening") return browser;
      return {
        state: "open",
        id: browser.id,
        openedAt: event.at,
        expiry: event.expiry,
        clients: 0,
        idleSince: event.at,
      };
    case "joined":
      if (browser.state !== "open") return browser;
      return { ...browser, clients: browser.clients + 1, idleSince: undefined };
    case "left": {
      if (browser.state !== "open" || browser.clients === 0) return browser;
      const clients = browser.clients - 1;
      return { ...browser, clients, idleSince: clients === 0 ? event.at : undefined };
    }
    case "changed":
      return browser.state === "open" ? { ...browser, expiry: event.expiry } : browser;
    case "ended":
      if (browser.state === "closed") return browser;
      return { state: "closed", id: browser.id, closedAt: event.at, reason: event.reason };
  }
}

/** When and why a browser closes automatically. */
export type Due = { readonly at: Date; readonly reason: "inactive" | "lifetime" };

/** @returns Undefined if the browser never closes automatically. */
export function deadline(browser: Open): Due | undefined {
  const { keepOpenMs, lifetimeMs } = browser.expiry;
  const lifetime = lifetimeMs === undefined ? Infinity : browser.openedAt.getTime() + lifetimeMs;
  const inactivity =
    browser.idleSince === undefined || keepOpenMs === undefined ? Infinity : browser.idleSince.getTime() + keepOpenMs;
  // A Date can't represent times after the year 275760, so the browser never closes.
  const at = new Date(Math.min(lifetime, inactivity));
  if (Number.isNaN(at.getTime())) return undefined;
  return { at, reason: inactivity < lifetime ? "inactive" : "lifetime" };
}
