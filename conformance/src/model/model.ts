import type { Complaint } from "../registry/vocabulary.ts";

/** The two passwords of a desktop that is started. */
export type Passwords = { readonly full: unknown; readonly viewOnly: unknown };

/**
 * The known state of a browser. `closing` covers the time between the request that ends it and its response: the
 * contract promises nothing about that time except that the browser stays the same one.
 */
export type KnownBrowser = {
  readonly address: string;
  readonly label: string;
  readonly isGraphical: boolean;
  readonly state: "open" | "closing" | "closed";
  /** What may have ended the browser, as in the contract's table of close reasons. */
  readonly causes: readonly ("requested" | "exited")[];
  /** Undefined while the desktop is stopped. */
  readonly desktop: Passwords | undefined;
  /** Passwords of earlier starts. They must not be used again. */
  readonly oldPasswords: readonly unknown[];
  /** Undefined until the browser was listed. */
  readonly startedOn: string | undefined;
};

/** The known state of the browsers of a sequence, by number. */
export type Model = { readonly browsers: ReadonlyMap<number, KnownBrowser> };

/** Why a result is wrong. With `browser`, the expectation is about that browser. */
export type Mismatch = Complaint & { readonly browser?: number };

export const EMPTY: Model = { browsers: new Map() };

export function withBrowser(model: Model, number: number, browser: KnownBrowser): Model {
  return { browsers: new Map([...model.browsers, [number, browser]]) };
}

/** The same text for equal models. */
export function keyOf({ browsers }: Model): string {
  return JSON.stringify([...browsers].toSorted(([a], [b]) => a - b));
}
