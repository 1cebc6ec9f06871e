import { IDEMPOTENCY_KEY } from "../../src/scenario/records.ts";
import type { Fault, Mutant } from "../mutant.ts";
import { isFor, readBody, refusal, withBody } from "./alter.ts";

/** A fault in how the header is read. @param read Returns the key that the server sees; undefined: none. */
function onKey(read: (key: string) => string | undefined): Fault {
  return {
    async answer(request, next) {
      const sent = request.headers.get(IDEMPOTENCY_KEY);
      if (sent === null || !isFor(request, "openBrowser")) return next(request);
      const { text } = await readBody(request);
      const changed = withBody(request, text);
      const key = read(sent);
      if (key === undefined) changed.headers.delete(IDEMPOTENCY_KEY);
      else changed.headers.set(IDEMPOTENCY_KEY, key);
      return next(changed);
    },
  };
}

/** A fault that accepts malformed keys. */
function accepting(isAccepted: (key: string) => boolean): Fault {
  return onKey((key) => (isAccepted(key) ? "accepted" : key));
}

/** A fault that refuses a key whose body differs from the body of its first request with a certain status. */
function comparingTexts(firstStatus: number): Fault {
  const texts = new Map<string, string>();
  return {
    async answer(request, next) {
      const key = request.headers.get(IDEMPOTENCY_KEY);
      if (key === null || !isFor(request, "openBrowser")) return next(request);
      const { text } = await readBody(request);
      const name = `${request.headers.get("authorization")} ${key}`;
      if ((texts.get(name) ?? text) !== text) return refusal("IdempotencyKeyReused");
      const response = await next(withBody(request, text));
      if (response.status === firstStatus) texts.set(name, text);
      return response;
    },
  };
}

/** How Idempotency-Keys and the requests with them are read. */
export const KEY_REQUEST_MUTANTS: readonly Mutant[] = [
  {
    id: "key-ignored",
    title: "The Idempotency-Key is ignored",
    killedBy: ["RBS-KEY-01", "RBS-KEY-03", "RBS-KEY-04", "RBS-KEY-05", "RBS-KEY-08"],
    fault: () => onKey(() => undefined),
  },
  {
    id: "key-compares-texts",
    title: "The same options in another spelling or order are refused as other options",
    killedBy: ["RBS-KEY-02"],
    fault: () => comparingTexts(200),
  },
  {
    id: "key-invalid-stays-used",
    title: "The key of a request with invalid options can't be used again",
    killedBy: ["RBS-KEY-07"],
    fault: () => comparingTexts(400),
  },
  {
    id: "key-empty",
    title: "An empty key counts as none",
    killedBy: ["RBS-KEY-08"],
    fault: () => onKey((key) => (key === "" ? undefined : key)),
  },
  {
    id: "key-too-long",
    title: "A key may have 256 characters",
    killedBy: ["RBS-KEY-08"],
    fault: () => accepting((key) => /^[!-~]{256}$/.test(key)),
  },
  {
    id: "key-with-space",
    title: "A key may contain spaces",
    killedBy: ["RBS-KEY-08"],
    fault: () => accepting((key) => /^[ -~]{1,255}$/.test(key) && key.includes(" ")),
  },
  {
    id: "key-with-tab",
    title: "A key may contain tabs",
    killedBy: ["RBS-KEY-08"],
    fault: () => accepting((key) => key.includes("\t")),
  },
  {
    id: "key-beyond-ascii",
    title: "A key may contain characters outside of ASCII",
    killedBy: ["RBS-KEY-08"],
    fault: () => accepting((key) => /[^\t -~]/.test(key)),
  },
  {
    id: "key-max-refused",
    title: "A key may have at most 254 characters",
    killedBy: ["RBS-KEY-09"],
    fault: () => onKey((key) => (key.length === 255 ? "too long" : key)),
  },
  {
    id: "key-only-letters",
    title: "A key may only contain letters, digits and hyphens",
    killedBy: ["RBS-KEY-09"],
    fault: () => onKey((key) => (/^[\w-]*$/.test(key) ? key : "not a word")),
  },
  {
    id: "key-after-subscription",
    title: "The subscription is checked before the form of the key",
    killedBy: ["RBS-KEY-11"],
    fault: subscriptionFirst,
  },
];

/** Open reports a missing subscription before it checks the key. */
function subscriptionFirst(): Fault {
  return {
    async answer(request, next) {
      if (!isFor(request, "openBrowser") || request.headers.get(IDEMPOTENCY_KEY) === null) return next(request);
      const { text } = await readBody(request);
      const response = await next(withBody(request, text));
      if (response.status !== 400) return response;
      const without = withBody(request, JSON.stringify({ Headless: true }));
      without.headers.set(IDEMPOTENCY_KEY, crypto.randomUUID());
      const other = await next(without);
      return other.status === 402 ? other : response;
    },
  };
}
