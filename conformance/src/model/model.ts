import type { Complaint } from "../registry/vocabulary.ts";

/** The two passwords of a started desktop. */
export type Passwords = { readonly full: unknown; readonly viewOnly: unknown };

/**
 * The known state of a browser. It is `closing` between the request that ends it and the response, because the contract
 * does not say whether the browser is open during that time.
 */
export type KnownBrowser = {
  readonly address: string;
  readonly label: string;
  readonly isGraphical: boolean;
  readonly state: "open" | "closing" | "closed";
  /** Possible reasons for its end, from the contract's table of close reasons. */
  readonly causes: readonly ("requested" | "exited")[];
  /** Undefined while the desktop is stopped. */
  readonly desktop: Passwords | undefined;
  /** Passwords of earlier starts, which must not be reused. */
  readonly oldPasswords: readonly unknown[];
  /** Undefined until the browser was listed. */
  readonly startedOn: string | undefined;
};

/** The known state of the browsers of a sequence, by number. */
export type Model = { readonly browsers: ReadonlyMap<number, KnownBrowser> };

/** Why a result is wrong, and the browser that the expectation is about, if any. */
export type Mismatch = Complaint & { readonly browser?: number };

export const EMPTY: Model = { browsers: new Map() };

export function withBrowser(model: Model, number: number, browser: KnownBrowser): Model {
  return { browsers: new Map([...model.browsers, [number, browser]]) };
}

/** Serializes a model. Equal models have equal keys. */
export function keyOf({ browsers }: Model): string {
  return JSON.stringify([...browsers].toSorted(([a], [b]) => a - b));
}
