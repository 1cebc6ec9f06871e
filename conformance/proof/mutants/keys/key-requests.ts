import { IDEMPOTENCY_KEY } from "../../../src/scenario/records.ts";
import { type Fault, type Mutant, mutant } from "../../mutant.ts";
import { isFor, onFailure, readBody, refusal, withBody } from "../../faults/alter.ts";
import { onOperation } from "../../faults/shown.ts";

/** Alters the Idempotency-Key. @param read Returns the key that the server sees, or undefined to remove the key. */
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

/** Accepts malformed keys. */
function accepting(isAccepted: (key: string) => boolean): Fault {
  return onKey((key) => (isAccepted(key) ? "accepted" : key));
}

/** Rejects a key if the body differs from the body of its first request that returned `firstStatus`. */
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

/** Faults in reading Idempotency-Keys and the requests that contain them. */
export const KEY_REQUEST_MUTANTS: readonly Mutant[] = [
  mutant(
    "key-ignored",
    ["RBS-KEY-01", "RBS-KEY-03", "RBS-KEY-04", "RBS-KEY-05", "RBS-KEY-08"],
    "The Idempotency-Key is ignored",
    () => onKey(() => undefined),
  ),
  mutant("key-compares-texts", ["RBS-KEY-02"], "Options that differ only in spelling or order count as different", () =>
    comparingTexts(200),
  ),
  mutant("key-invalid-stays-used", ["RBS-KEY-07"], "The key of an invalid request can't be used again", () =>
    comparingTexts(400),
  ),
  mutant("key-defaults-differ", ["RBS-KEY-18"], "An option that is sent with its default counts as different", () => {
    const names = new Map<string, string>();
    return onOperation("openBrowser", async ({ request, body, next }) => {
      const key = request.headers.get(IDEMPOTENCY_KEY);
      const sent = Object.keys(body).filter((name) => (body[name] ?? null) !== null);
      const text = [...new Set(sent.map((name) => name.toLowerCase()))].toSorted().join();
      const name = `${request.headers.get("authorization")} ${key}`;
      if (key !== null && (names.get(name) ?? text) !== text) return refusal("IdempotencyKeyReused");
      const response = await next(request);
      if (key !== null && response.status === 200) names.set(name, text);
      return response;
    });
  }),
  mutant("header-pointer", ["RBS-BODY-12"], "The path of a wrong header is the header's name", () =>
    onFailure("BadRequest", ({ body }) =>
      JSON.stringify(body).includes(IDEMPOTENCY_KEY)
        ? { body: { ...body, errors: [{ path: `/${IDEMPOTENCY_KEY}`, message: `${IDEMPOTENCY_KEY} is wrong` }] } }
        : {},
    ),
  ),
  mutant("header-nameless", ["RBS-BODY-12"], "The error for a wrong header doesn't name the header", () =>
    onFailure("BadRequest", ({ body }) =>
      JSON.stringify(body).includes(IDEMPOTENCY_KEY)
        ? { body: { ...body, message: "bad", errors: [{ path: "", message: "bad" }] } }
        : {},
    ),
  ),
  mutant("key-empty", ["RBS-KEY-08"], "An empty key is treated as no key", () =>
    onKey((key) => (key === "" ? undefined : key)),
  ),
  mutant("key-too-long", ["RBS-KEY-08"], "A key may have 256 characters", () =>
    accepting((key) => /^[!-~]{256}$/.test(key)),
  ),
  mutant("key-with-space", ["RBS-KEY-08"], "A key may contain spaces", () =>
    accepting((key) => /^[ -~]{1,255}$/.test(key) && key.includes(" ")),
  ),
  mutant("key-with-tab", ["RBS-KEY-08"], "A key may contain tabs", () => accepting((key) => key.includes("\t"))),
  mutant("key-beyond-ascii", ["RBS-KEY-08"], "A key may contain non-ASCII characters", () =>
    accepting((key) => /[^\t -~]/.test(key)),
  ),
  mutant("key-max-refused", ["RBS-KEY-09"], "A key can't be longer than 254 characters", () =>
    onKey((key) => (key.length === 255 ? "too long" : key)),
  ),
  mutant("key-only-letters", ["RBS-KEY-09"], "A key may only contain letters, digits and hyphens", () =>
    onKey((key) => (/^[\w-]*$/.test(key) ? key : "not a word")),
  ),
  mutant("key-after-subscription", ["RBS-KEY-11"], "The subscription is checked before the key", subscriptionFirst),
];

/** Makes Open report a missing subscription before it checks the key. */
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
