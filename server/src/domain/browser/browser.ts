import type { EndReason } from "./end.ts";

/** When an open browser closes automatically. */
export type Expiry = {
  /** Inactivity after which it closes, in ms; undefined: inactivity never closes it. */
  readonly keepOpenMs: number | undefined;
  /** Maximum lifetime in ms; undefined: no limit. */
  readonly maxLifetimeMs: number | undefined;
};

/**
 * @param keepOpenMs The option of Open, in ms. 0, or more than the maximum lifetime, means the maximum lifetime.
 * @param maxLifetimeMs The plan's maximum lifetime; undefined: no limit.
 */
export function toExpiry(keepOpenMs: number, maxLifetimeMs: number | undefined): Expiry {
  const isUnlimited = keepOpenMs === 0 || keepOpenMs > (maxLifetimeMs ?? Infinity);
  return { keepOpenMs: isUnlimited ? maxLifetimeMs : keepOpenMs, maxLifetimeMs };
}

export type Opening = { readonly state: "opening"; readonly id: string; readonly requestedAt: Date };

export type Open = {
  readonly state: "open";
  readonly id: string;
  readonly openedAt: Date;
  readonly expiry: Expiry;
  /** DevTools clients and desktop viewers connected now. */
  readonly clients: number;
  /** When the last client left; undefined while a client is connected. */
  readonly idleSince: Date | undefined;
};

export type Closed = {
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
  | { readonly type: "ended"; readonly at: Date; readonly reason: EndReason };

/** The browser after an event. A late event returns the same object. */
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
    case "ended":
      if (browser.state === "closed") return browser;
      return { state: "closed", id: browser.id, closedAt: event.at, reason: event.reason };
  }
}

/** When a browser closes if nothing else happens, and why. */
export type Due = { readonly at: Date; readonly reason: "inactive" | "lifetime" };

/** Undefined: never. */
export function deadline(browser: Open): Due | undefined {
  const { keepOpenMs, maxLifetimeMs } = browser.expiry;
  const lifetime = maxLifetimeMs === undefined ? Infinity : browser.openedAt.getTime() + maxLifetimeMs;
  const inactivity =
    browser.idleSince === undefined || keepOpenMs === undefined ? Infinity : browser.idleSince.getTime() + keepOpenMs;
  // A Date can't represent moments after the year 275760, so the browser never closes.
  const at = new Date(Math.min(lifetime, inactivity));
  if (Number.isNaN(at.getTime())) return undefined;
  return { at, reason: inactivity < lifetime ? "inactive" : "lifetime" };
}
