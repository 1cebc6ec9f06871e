/** Ways to write an address. The server only uses the id in the address. */
export const ADDRESS_FORMS = ["as given", "without scheme", "at another host", "with a query"] as const;
export type AddressForm = (typeof ADDRESS_FORMS)[number];

export type OpenOptions = Readonly<Record<string, unknown>>;

/** Operations on an address. */
export type Verb = "close" | "start" | "stop";

/**
 * Operations added in version 1.1. As steps, `wait` returns immediately, `update` changes the label, `history` and
 * `closeAll` select the browser by label, and `repeat` repeats the Open request with the same Idempotency-Key.
 */
export const LATER_VERBS = ["info", "wait", "update", "history", "closeAll", "repeat"] as const;
export type LaterVerb = (typeof LATER_VERBS)[number];

/** A request that the server must reject. */
export type Mistake =
  | { readonly kind: "wrong token"; readonly verb: Verb | "open" | "get" }
  | { readonly kind: "malformed body"; readonly verb: Verb | "open" }
  | { readonly kind: "no address"; readonly verb: Verb; readonly body: OpenOptions }
  | { readonly kind: "unknown address"; readonly verb: Verb; readonly isSimilar: boolean }
  | { readonly kind: "bad option"; readonly options: OpenOptions; readonly path: string };

/**
 * One step. A step refers to a browser by the number of its Open, so removing other steps doesn't change the step's
 * meaning. If the browser's Open was removed, the step does nothing. `ask` sends a command from a connected client,
 * `quit` is `Browser.close`, and `watch` connects a viewer with the latest password, then disconnects it.
 */
export type Step =
  | {
      readonly do: "open";
      readonly browser: number;
      readonly options: OpenOptions;
      readonly labelEnd: string;
      /** Whether the request has an Idempotency-Key. */
      readonly isKeyed?: true;
    }
  | { readonly do: Verb; readonly browser: number; readonly form: AddressForm }
  | { readonly do: "connect" | "ask" | "disconnect" | "quit" | "watch"; readonly browser: number }
  | { readonly do: LaterVerb; readonly browser: number }
  | { readonly do: "get" }
  | { readonly do: "err"; readonly mistake: Mistake; readonly browser: number };

/** Concurrent steps. Most groups have a single step. */
export type Group = readonly Step[];
export type Sequence = readonly Group[];

export function browserOf(step: Step): number | undefined {
  return step.do === "get" ? undefined : step.browser;
}

export function opensOf(sequence: Sequence): number {
  return sequence.flat().filter((step) => step.do === "open").length;
}

export function isLaterVerb(verb: Step["do"]): verb is LaterVerb {
  return LATER_VERBS.some((each) => each === verb);
}

/** ChromeHeadlessShell is always headless. */
export function isGraphical(options: OpenOptions): boolean {
  const isHeadless = options["Headless"] ?? options["headless"];
  return isHeadless !== true && (options["Browser"] ?? options["browser"]) !== 3;
}

/** Returns the sequence without desktops: all browsers are headless, and no step starts, stops or watches a desktop. */
export function withoutDesktops(sequence: Sequence): Sequence {
  const isKept = (step: Step): boolean => {
    const verb = step.do === "err" && "verb" in step.mistake ? step.mistake.verb : step.do;
    return verb !== "start" && verb !== "stop" && verb !== "watch";
  };
  const toHeadless = (step: Step): Step =>
    step.do === "open" && isGraphical(step.options) ? { ...step, options: { Headless: true } } : step;
  return sequence.map((group) => group.filter(isKept).map(toHeadless)).filter((group) => group.length > 0);
}
