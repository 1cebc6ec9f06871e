import { randomBytes, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { FakeClock } from "../../../test/fakes/fake-clock.ts";
import { RecordingLog } from "../../../test/fakes/recording-log.ts";
import { openTestStore } from "../../../test/support/databases/stores.ts";
import type { Account } from "../../domain/account/account.ts";
import type { TokenStore } from "../../ports/store/token-store.ts";
import { AccountError } from "./errors.ts";
import { hashToken, MAX_TOKENS, Tokens } from "./tokens.ts";

/** Returns tokens backed by a real store. @param change Replaces methods of the store. */
async function openRig(change: (store: TokenStore) => Partial<TokenStore> = () => ({})) {
  const store = await openTestStore();
  const clock = new FakeClock();
  const log = new RecordingLog();
  const newAccount = async (): Promise<Account> => {
    const account = {
      ...{ id: randomUUID(), email: `${randomUUID()}@example.com`, plan: undefined, parallel: undefined },
      ...{
        units: undefined,
        hasAdditionalUnits: false,
        isDisabled: false,
        isOperator: false,
        version: 0,
        createdAt: clock.now(),
      },
    };
    await store.accounts.create(account, {});
    return account;
  };
  const changed = { ...store.tokens, ...change(store.tokens) };
  const tokens = new Tokens({ store: changed, clock, log, newId: randomUUID, randomBytes });
  return {
    ...{ store, tokens, clock, log, newAccount, account: await newAccount() },
    /** The account's only token. */
    async only() {
      const [entry] = await tokens.list(this.account);
      if (entry === undefined) throw new Error("The account has no token.");
      return entry;
    },
    async [Symbol.asyncDispose]() {
      await tokens[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

test("a new token works immediately, and only its name, prefix and hash are stored", async () => {
  await using rig = await openRig();
  const token = await rig.tokens.add(rig.account, "  nightly job \n");
  expect(await rig.tokens.authenticate(token)).toEqual(rig.account);
  const [entry] = await rig.store.tokens.list(rig.account.id);
  expect(entry).toMatchObject({ name: "nightly job", prefix: token.slice(0, 8), createdAt: rig.clock.now() });
  expect(JSON.stringify(entry)).not.toContain(token.slice(8));
});

test("a revoked token stops working immediately, even in the same event-loop iteration", async () => {
  await using rig = await openRig();
  const token = await rig.tokens.add(rig.account, "one");
  const { id } = await rig.only();
  expect(await rig.tokens.authenticate(token)).toBeDefined();
  await rig.tokens.revoke(rig.account, id);
  expect(await rig.tokens.authenticate(token)).toBeUndefined();
  expect(await rig.tokens.list(rig.account)).toEqual([]);
  await expect(rig.tokens.revoke(rig.account, id)).rejects.toThrow(AccountError);
});

test("a renewed token keeps its name, the old secret stops working, and resubmitting the form changes nothing", async () => {
  await using rig = await openRig();
  const before = await rig.tokens.add(rig.account, "one");
  await rig.tokens.authenticate(before);
  const { id, prefix } = await rig.only();
  const after = await rig.tokens.renew(rig.account, id, prefix);
  expect(await rig.tokens.authenticate(before)).toBeUndefined();
  await expect(rig.tokens.renew(rig.account, id, prefix)).rejects.toThrow(/renewed or revoked/);
  expect(await rig.only()).toMatchObject({ id, name: "one", prefix: after.slice(0, 8), lastUsedAt: undefined });
  expect(await rig.tokens.authenticate(after)).toEqual(rig.account);
});

test("an account can't renew or revoke another account's token", async () => {
  await using rig = await openRig();
  const token = await rig.tokens.add(rig.account, "mine");
  const { id, prefix } = await rig.only();
  const other = await rig.newAccount();
  await expect(rig.tokens.renew(other, id, prefix)).rejects.toThrow(AccountError);
  await expect(rig.tokens.revoke(other, id)).rejects.toThrow(AccountError);
  expect(await rig.tokens.list(other)).toEqual([]);
  expect(await rig.tokens.authenticate(token)).toEqual(rig.account);
});

test(`an account can have ${MAX_TOKENS} tokens and no more, even if many are created concurrently`, async () => {
  await using rig = await openRig();
  const wanted = Array.from({ length: MAX_TOKENS + 5 }, (_, index) => rig.tokens.add(rig.account, `${index}`));
  const refused = (await Promise.allSettled(wanted)).filter(({ status }) => status === "rejected");
  expect(refused).toHaveLength(5);
  expect(await rig.tokens.list(rig.account)).toHaveLength(MAX_TOKENS);
  await rig.tokens.revoke(rig.account, (await rig.only()).id);
  await rig.tokens.add(rig.account, "one more");
});

test.each([
  ["", /Enter a name/],
  [" \t\n", /Enter a name/],
  ["\u{200B}", /Enter a name/],
  ["x".repeat(61), /up to 60 characters. This one has 61/],
  ["one\ntwo", /control characters/],
  ["bell \u{7} inside", /control characters/],
  ["turned \u{202E} round", /control characters/],
])("%j is not a valid name for a token", async (name, message) => {
  await using rig = await openRig();
  await expect(rig.tokens.add(rig.account, name)).rejects.toThrow(message);
  expect(await rig.tokens.list(rig.account)).toEqual([]);
});

test.each(["x".repeat(60), "🦊".repeat(60), "<b>größer & 日本</b>", "👩‍🔧 CI"])(
  "%s is a valid name for a token",
  async (name) => {
    await using rig = await openRig();
    await rig.tokens.add(rig.account, name);
    expect(await rig.only()).toMatchObject({ name });
  },
);

test("uses are stored in batches", async () => {
  let writes = 0;
  await using rig = await openRig((store) => ({
    recordUses(uses) {
      writes += 1;
      return store.recordUses(uses);
    },
  }));
  const token = await rig.tokens.add(rig.account, "one");
  for (let calls = 0; calls < 3; calls += 1) {
    await rig.clock.pass(1000);
    await rig.tokens.authenticate(token);
  }
  const last = rig.clock.now();
  expect(writes).toBe(0);
  await rig.clock.pass(60_000);
  expect(writes).toBe(1);
  expect(await rig.store.tokens.list(rig.account.id)).toMatchObject([{ lastUsedAt: last }]);
  expect(rig.clock.pending).toBe(0);
});

test("the list includes unsaved uses", async () => {
  await using rig = await openRig();
  const token = await rig.tokens.add(rig.account, "one");
  expect(await rig.only()).toMatchObject({ lastUsedAt: undefined });
  await rig.tokens.authenticate(token);
  expect(await rig.only()).toMatchObject({ lastUsedAt: rig.clock.now() });
});

test("a use that is older than the stored one has no effect", async () => {
  await using rig = await openRig();
  const token = await rig.tokens.add(rig.account, "one");
  const earlier = rig.clock.now();
  await rig.clock.pass(5000);
  await rig.tokens.authenticate(token);
  const { lastUsedAt } = await rig.only();
  await rig.store.tokens.recordUses(new Map([[hashToken(token), earlier]]));
  expect(await rig.only()).toMatchObject({ lastUsedAt });
});

test("if uses can't be stored, the failure is logged without the token, and the uses are stored next time", async () => {
  let isBroken = true;
  await using rig = await openRig((store) => ({
    recordUses: (uses) => (isBroken ? Promise.reject(new Error("disk full")) : store.recordUses(uses)),
  }));
  const token = await rig.tokens.add(rig.account, "one");
  await rig.tokens.authenticate(token);
  const used = rig.clock.now();
  await rig.clock.pass(30_000);
  expect(rig.log.lines.at(-1)).toMatchObject({ event: "tokens.note_failed", facts: { tokens: 1 } });
  expect(rig.log.text()).not.toContain(token);
  isBroken = false;
  expect(await rig.only()).toMatchObject({ lastUsedAt: used });
});

test("disposal waits for token uses that are still being stored", async () => {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  let isWritten = false;
  await using rig = await openRig((store) => ({
    async recordUses(uses) {
      await opened;
      await store.recordUses(uses);
      isWritten = true;
    },
  }));
  await rig.tokens.authenticate(await rig.tokens.add(rig.account, "one"));
  await rig.clock.pass(30_000);
  const disposed = rig.tokens[Symbol.asyncDispose]();
  open();
  await disposed;
  expect(isWritten).toBe(true);
  expect(rig.clock.pending).toBe(0);
});
