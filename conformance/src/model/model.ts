import type { Complaint } from "../registry/vocabulary.ts";

/** The two passwords of a remote desktop that is started. */
export type Passwords = { readonly full: unknown; readonly viewOnly: unknown };

/**
 * A browser as the contract makes it known. `closing` is the time in which something ends it: the contract says what holds
 * before, and what holds once Close has answered; in between it promises nothing but that the browser is the same.
 */
export type KnownBrowser = {
  readonly address: string;
  readonly label: string;
  readonly isGraphical: boolean;
  readonly state: "open" | "closing" | "closed";
  /** What may have ended it, in the words of the contract's table of close reasons. */
  readonly causes: readonly ("requested" | "exited")[];
  /** Undefined while the desktop is stopped. */
  readonly desktop: Passwords | undefined;
  /** Of earlier starts: never to be seen again. */
  readonly oldPasswords: readonly unknown[];
  /** Undefined until it was listed. */
  readonly startedOn: string | undefined;
};

/** What is known of the browsers that a sequence has opened, by their numbers. */
export type Model = { readonly browsers: ReadonlyMap<number, KnownBrowser> };

/** Why an answer can't be; with `browser`, what is expected of that one. */
export type Mismatch = Complaint & { readonly browser?: number };

export const EMPTY: Model = { browsers: new Map() };

export function withBrowser(model: Model, number: number, browser: KnownBrowser): Model {
  return { browsers: new Map([...model.browsers, [number, browser]]) };
}

/** Equal texts for models that are equal. */
export function keyOf({ browsers }: Model): string {
  return JSON.stringify([...browsers].toSorted(([a], [b]) => a - b));
}
