/** How the address of a browser is written: the contract finds it by its id, whatever stands around that. */
export const ADDRESS_FORMS = ["as given", "without scheme", "at another host", "with a query"] as const;
export type AddressForm = (typeof ADDRESS_FORMS)[number];

export type OpenOptions = Readonly<Record<string, unknown>>;

/** Operations that take an address. */
export type Verb = "close" | "start" | "stop";

/** A request that has to be refused, whatever is open. */
export type Mistake =
  | { readonly kind: "wrong token"; readonly verb: Verb | "open" | "get" }
  | { readonly kind: "malformed body"; readonly verb: Verb | "open" }
  | { readonly kind: "no address"; readonly verb: Verb; readonly body: OpenOptions }
  | { readonly kind: "unknown address"; readonly verb: Verb; readonly isSimilar: boolean }
  | { readonly kind: "bad option"; readonly options: OpenOptions; readonly path: string };

/**
 * One thing that is done. A browser is meant by the number that its Open has, so a sequence from which steps were taken
 * still says the same of those that are left; a step about a browser whose Open is not there does nothing.
 * `ask` is a command of a client that is connected, `quit` is `Browser.close`, and `watch` a viewer that comes with the last
 * password, stays a moment and goes.
 */
export type Step =
  | { readonly do: "open"; readonly browser: number; readonly options: OpenOptions; readonly labelEnd: string }
  | { readonly do: Verb; readonly browser: number; readonly form: AddressForm }
  | { readonly do: "connect" | "ask" | "disconnect" | "quit" | "watch"; readonly browser: number }
  | { readonly do: "get" }
  | { readonly do: "err"; readonly mistake: Mistake; readonly browser: number };

/** Steps that are taken at the same time; mostly it is one. */
export type Group = readonly Step[];
export type Sequence = readonly Group[];

export function browserOf(step: Step): number | undefined {
  return step.do === "get" ? undefined : step.browser;
}

export function opensOf(sequence: Sequence): number {
  return sequence.flat().filter((step) => step.do === "open").length;
}

/** ChromeHeadlessShell is headless whatever is said. */
export function isGraphical(options: OpenOptions): boolean {
  const isHeadless = options["Headless"] ?? options["headless"];
  return isHeadless !== true && (options["Browser"] ?? options["browser"]) !== 3;
}
