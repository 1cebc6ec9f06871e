import type { EndReason } from "./end.ts";

/** How long an open browser stays when nobody uses it, and at the longest. */
export type Expiry = {
  /** Inactivity after which it closes, in ms; undefined: never for that reason. */
  readonly keepOpenMs: number | undefined;
  /** Longest life in ms; undefined: without limit. */
  readonly maxLifetimeMs: number | undefined;
};

/**
 * @param keepOpenMs What Open asked for, in ms: 0, and everything above the longest life, count as that.
 * @param maxLifetimeMs The plan's; undefined: without limit.
 */
export function toExpiry(keepOpenMs: number, maxLifetimeMs: number | undefined): Expiry {
  const isLongest = keepOpenMs === 0 || keepOpenMs > (maxLifetimeMs ?? Infinity);
  return { keepOpenMs: isLongest ? maxLifetimeMs : keepOpenMs, maxLifetimeMs };
}

export type Opening = { readonly state: "opening"; readonly id: string; readonly requestedAt: Date };

export type Open = {
  readonly state: "open";
  readonly id: string;
  readonly openedAt: Date;
  readonly expiry: Expiry;
  /** DevTools clients and desktop viewers connected now. */
  readonly clients: number;
  /** Since when nobody is connected; undefined while somebody is. */
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
  | { readonly type: "opened"; readonly at: Date; readonly stay: Expiry }
  | { readonly type: "joined"; readonly at: Date }
  | { readonly type: "left"; readonly at: Date }
  | { readonly type: "ended"; readonly at: Date; readonly reason: EndReason };

/** The browser after an event. A late event changes nothing and gives the same object back. */
export function next(browser: Browser, event: BrowserEvent): Browser {
  switch (event.type) {
    case "opened":
      if (browser.state !== "opening") return browser;
      return {
        state: "open",
        id: browser.id,
        openedAt: event.at,
        expiry: event.stay,
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

/** When an open browser closes by itself if nothing happens, and why; undefined: never. */
export function deadline(browser: Open): { readonly at: Date; readonly reason: "inactive" | "lifetime" } | undefined {
  const { keepOpenMs, maxLifetimeMs } = browser.expiry;
  const lifetime = maxLifetimeMs === undefined ? Infinity : browser.openedAt.getTime() + maxLifetimeMs;
  const inactivity =
    browser.idleSince === undefined || keepOpenMs === undefined ? Infinity : browser.idleSince.getTime() + keepOpenMs;
  // Past the last moment a Date can hold (year 275760) lies never.
  const at = new Date(Math.min(lifetime, inactivity));
  if (Number.isNaN(at.getTime())) return undefined;
  return { at, reason: inactivity < lifetime ? "inactive" : "lifetime" };
}
