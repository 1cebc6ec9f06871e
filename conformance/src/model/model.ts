import type { Complaint } from "../contract/vocabulary.ts";

/** The two passwords of a running desktop. */
export type Passwords = { readonly full: unknown; readonly viewOnly: unknown };

/**
 * The known state of a browser. The state is `closing` from the request that ends the browser until its response,
 * because the contract doesn't say whether the browser is open during that time.
 */
export type KnownBrowser = {
  readonly address: string;
  readonly label: string;
  readonly isGraphical: boolean;
  readonly state: "open" | "closing" | "closed";
  /** Possible close reasons, from the contract's table. */
  readonly causes: readonly ("requested" | "exited")[];
  /** Undefined while the desktop is stopped. */
  readonly desktop: Passwords | undefined;
  /** Passwords from earlier starts, which must not be reused. */
  readonly oldPasswords: readonly unknown[];
  /** Undefined until the browser has appeared in a list or record. */
  readonly startedOn: string | undefined;
};

/** The known states of a sequence's browsers, by number. */
export type Model = { readonly browsers: ReadonlyMap<number, KnownBrowser> };

/** Why a result is wrong, and which browser is affected, if any. */
export type Mismatch = Complaint & { readonly browser?: number };

export const EMPTY: Model = { browsers: new Map() };

export function withBrowser(model: Model, number: number, browser: KnownBrowser): Model {
  return { browsers: new Map([...model.browsers, [number, browser]]) };
}

/** Serializes a model. Equal models have equal keys. */
export function keyOf({ browsers }: Model): string {
  return JSON.stringify([...browsers].toSorted(([a], [b]) => a - b));
}
