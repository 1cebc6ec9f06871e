import { randomUUID } from "node:crypto";
import { OPEN } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import type { Account } from "../../session/account.ts";
import { expectEqual, expectRefusal, expectSuccess, expectThat } from "../../session/expect.ts";
import type { Run } from "../../session/run.ts";
import type { Exchange } from "../../target/exchange.ts";
import { expectOpened, ownOptions } from "../../scenario/opening.ts";
import { IDEMPOTENCY_KEY, infoOf, type Named, openNamed } from "../../scenario/records.ts";

const DESCRIPTION = `${OPEN}/description`;
const FORM = `${OPEN}/parameters/0/description`;
const ONE_BROWSER =
  "All requests of the account with the same key and the same options then open one browser and get the same response.";
const FORM_OF_KEYS = "1 to 255 visible ASCII characters. Anything else is a `BadRequest`.";
const MAX_LENGTH = 255;
const CONCURRENT = 4;

/** `fetch` sends characters up to U+00FF as single bytes. */
const MALFORMED = ["", "x".repeat(MAX_LENGTH + 1), "a b", "a\tb", "schlüssel"];

/** The defaults of options that the rules' Open requests omit. */
const DEFAULTS = {
  ...{ Args: [], IgnoredDefaultArgs: [], Stealth: true, Tags: [], Lifetime: 0, WaitForPlace: 0 },
  ...{ Language: "en-US", TimeZone: "UTC" },
};

/** An Open with an Idempotency-Key, which makes it repeatable. */
export type KeyedOpen = { readonly key: string; readonly options: { readonly Label: string } };

/** Idempotency-Keys of Open. */
export const KEY_RULES = scenarios({ capability: "core", since: "1.1" }, [
  {
    id: "RBS-KEY-01",
    at: DESCRIPTION,
    sentence: ONE_BROWSER,
    opens: 3,
    atOnce: 1,
    async check(run) {
      const opened = await openKeyed(run);
      for (const _ of ["once", "twice"]) expectSame(await repeat(run.main, opened), opened);
      await expectOnlyOne(run, opened);
    },
  },
  {
    id: "RBS-KEY-02",
    at: DESCRIPTION,
    sentence: ONE_BROWSER,
    opens: 2,
    atOnce: 1,
    isDetail: true,
    async check(run) {
      const opened = await openKeyed(run, { Tags: ["a", "b"] });
      const { Label, ...others } = opened.options;
      const rewritten = { tags: ["a", "b"], Proxy: null, ...others, Tags: null, label: Label };
      expectSame(await repeat(run.main, { ...opened, options: rewritten }), opened);
      await expectOnlyOne(run, opened);
    },
  },
  {
    id: "RBS-KEY-03",
    at: DESCRIPTION,
    sentence: "While the first one is in progress, the others wait for it.",
    opens: CONCURRENT,
    atOnce: 1,
    isDetail: true,
    async check(run) {
      const open = newKeyedOpen(run);
      const answers: Exchange[] = [];
      await Promise.all(
        Array.from({ length: CONCURRENT }, () =>
          expectOpened(async () => {
            const answer = await repeat(run.main, open);
            answers.push(answer);
            return answer;
          }),
        ),
      );
      const [first, ...others] = answers.filter(({ received }) => received.status === 200).map(expectSuccess);
      for (const other of others) expectEqual("the response to a concurrent request with the same key", other, first);
      await expectOnlyOne(run, open);
    },
  },
  {
    id: "RBS-KEY-04",
    at: `${OPEN}/responses/422/description`,
    sentence: "This `Idempotency-Key` belongs to a request with other options.",
    covers: ["openBrowser 422"],
    opens: 2,
    atOnce: 1,
    isDetail: true,
    async check(run) {
      const opened = await openKeyed(run);
      const { options } = opened;
      const others = [
        { ...options, Label: run.newLabel() },
        { ...options, KeepOpen: run.keepOpenS + 1 },
        { ...options, Tags: ["a"] },
        { ...options, Proxy: { Host: "proxy.invalid", Port: "3128" } },
      ];
      for (const other of others) {
        expectRefusal(await repeat(run.main, { ...opened, options: other }), "IdempotencyKeyReused");
      }
      expectSame(await repeat(run.main, opened), opened);
      await expectOnlyOne(run, opened, ...others.map(({ Label }) => Label));
    },
  },
  {
    id: "RBS-KEY-05",
    at: DESCRIPTION,
    sentence: "The key refers to the browser until 24 hours after its end.",
    covers: ["openBrowser 422"],
    opens: 2,
    atOnce: 1,
    isDetail: true,
    async check(run) {
      const opened = await openKeyed(run);
      expectSuccess(await run.main.close(opened.address));
      expectSame(await repeat(run.main, opened), opened);
      await expectReused(run, run.main, opened);
      const { state } = await infoOf(run.main, { id: opened.id });
      expectEqual("the state of a closed browser whose Open was repeated", state, "closed");
      expectEqual("the number of open browsers after a repeated Open", await countListed(run, opened.options.Label), 0);
    },
  },
  {
    id: "RBS-KEY-06",
    at: DESCRIPTION,
    sentence: ONE_BROWSER,
    opens: 3,
    isDetail: true,
    async check(run) {
      const opened = await openKeyed(run, {}, `${randomUUID()}-key`);
      for (const similar of [opened.key.toUpperCase(), `${opened.key}~`]) {
        const answer = await openWith(run, { ...opened, key: similar });
        expectThat(answer["id"] !== opened.id, "a new browser for a similar key", "the same one");
      }
    },
  },
  {
    id: "RBS-KEY-07",
    at: DESCRIPTION,
    sentence: "If the request is refused or undone, the key is free again.",
    covers: ["openBrowser 400"],
    opens: 1,
    isDetail: true,
    async check(run) {
      const open = newKeyedOpen(run);
      const wrong = { ...open.options, KeepOpen: true };
      expectRefusal(await repeat(run.main, { ...open, options: wrong }), "BadRequest", "/KeepOpen");
      await openWith(run, open);
    },
  },
  {
    id: "RBS-KEY-08",
    at: FORM,
    sentence: FORM_OF_KEYS,
    covers: ["openBrowser 400"],
    async check(run) {
      const options = ownOptions(run);
      for (const key of MALFORMED) expectRefusal(await repeat(run.main, { key, options }), "BadRequest");
      expectEqual("the number of browsers opened by rejected requests", await countListed(run, options.Label), 0);
    },
  },
  {
    id: "RBS-KEY-09",
    at: FORM,
    sentence: FORM_OF_KEYS,
    opens: 4,
    atOnce: 2,
    isDetail: true,
    async check(run) {
      // A key with all visible ASCII characters, and a key of the maximum length.
      const visible = Array.from({ length: 94 }, (_, at) => String.fromCharCode(0x21 + at)).join("");
      const unique = randomUUID();
      for (const key of [`${unique}${visible}`, unique.padEnd(MAX_LENGTH, "x")]) {
        const open = { ...newKeyedOpen(run), key };
        const first = await openWith(run, open);
        const { id } = expectSuccess(await repeat(run.main, open));
        expectEqual("the id in the response to a repeated Open", id, first["id"]);
      }
    },
  },
  {
    id: "RBS-KEY-10",
    at: DESCRIPTION,
    sentence: "To be able to repeat the request when its response is lost, send an `Idempotency-Key`.",
    opens: 2,
    async check(run) {
      const Label = run.newLabel();
      const [first, second] = [await openNamed(run, { Label }), await openNamed(run, { Label })];
      expectThat(first.id !== second.id, "different browsers for two Open requests without a key", "the same one");
      expectEqual("the number of browsers in the list", await countListed(run, Label), 2);
    },
  },
  {
    id: "RBS-KEY-11",
    capability: "quota",
    at: FORM,
    sentence: FORM_OF_KEYS,
    covers: ["openBrowser 400"],
    needs: ["no-subscription"],
    async check(run) {
      const options = ownOptions(run);
      // The server checks the key's format and the body before the account.
      expectRefusal(await repeat(run.account("no-subscription"), { key: "a b", options }), "BadRequest");
    },
  },
  {
    id: "RBS-KEY-18",
    at: DESCRIPTION,
    sentence:
      "Options are the same if their values are: spelling and order do not matter, and an omitted option has its default.",
    opens: 2,
    atOnce: 1,
    isDetail: true,
    async check(run) {
      const opened = await openKeyed(run);
      expectSame(await repeat(run.main, { ...opened, options: { ...DEFAULTS, ...opened.options } }), opened);
      await expectOnlyOne(run, opened);
    },
  },
  {
    id: "RBS-ISO-08",
    capability: "isolation",
    at: DESCRIPTION,
    sentence: ONE_BROWSER,
    needs: ["other-account"],
    opens: 2,
    async check(run) {
      const other = run.account("other-account");
      const opened = await openKeyed(run);
      const theirs = await openWith(run, opened, other);
      expectThat(theirs["id"] !== opened.id, "a separate browser for another account", "the same one");
      expectSame(await repeat(run.main, opened), opened);
      const { id } = expectSuccess(await repeat(other, opened));
      expectEqual("the id in the response to the other account's repeated Open", id, theirs["id"]);
    },
  },
]);

export function withKey(key: string): { readonly headers: Readonly<Record<string, string>> } {
  return { headers: { [IDEMPOTENCY_KEY]: key } };
}

/** Creates an Open request with a new key, without sending it. */
export function newKeyedOpen(run: Run): KeyedOpen {
  const options = { Label: run.newLabel(), KeepOpen: run.keepOpenS, ...run.lightest };
  return { key: randomUUID(), options };
}

/** Opens a browser with a new key. */
export async function openKeyed(
  run: Run,
  options: object = {},
  key: string = randomUUID(),
  account: Account = run.main,
): Promise<KeyedOpen & Named> {
  const all = { ...newKeyedOpen(run).options, ...options };
  return { ...(await openNamed(run, all, account, withKey(key))), key, options: all };
}

/** Sends or repeats an Open request with a key. */
export function repeat(account: Account, { key, options }: { key: string; options: object }): Promise<Exchange> {
  return account.open(options, withKey(key));
}

/** Sends an Open request that must succeed. @returns The response body. */
async function openWith(run: Run, open: KeyedOpen, account: Account = run.main): Promise<Record<string, unknown>> {
  let answer: Exchange | undefined;
  await expectOpened(async () => (answer = await repeat(account, open)));
  return answer === undefined ? {} : expectSuccess(answer);
}

/** @throws {Violation} If the response isn't the same as for the first Open. */
export function expectSame(answer: Exchange, { id, address }: Named): void {
  const again = expectSuccess(answer);
  const seen = { id: again["id"], address: again["address"] };
  expectEqual("the id in the response to a repeated Open", seen.id, id);
  expectThat(seen.address === address, "the same address as in the first response", "another one");
}

/** @throws {Violation} If an Open with the same key and a different label is not rejected. */
export async function expectReused(run: Run, account: Account, { key, options }: KeyedOpen): Promise<void> {
  const other = { ...options, Label: run.newLabel() };
  expectRefusal(await repeat(account, { key, options: other }), "IdempotencyKeyReused");
}

export async function countListed(run: Run, ...labels: readonly string[]): Promise<number> {
  return (await run.main.listBrowsers()).filter(({ label }) => labels.includes(String(label))).length;
}

/** @throws {Violation} Unless exactly one browser is listed. */
async function expectOnlyOne(run: Run, { options }: KeyedOpen, ...labels: readonly string[]): Promise<void> {
  const count = await countListed(run, options.Label, ...labels);
  expectEqual("the number of browsers opened by requests with the same key", count, 1);
}
