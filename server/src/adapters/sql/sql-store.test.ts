import { describe, expect, test } from "vitest";
import {
  ACCOUNT,
  openWithAccount,
  startSqlEngines,
  toReservation,
  toToken,
} from "../../../test/support/databases/sql-engines.ts";
import { HAS_VARIANTS } from "../../../test/support/variants.ts";
import { UNLIMITED } from "../../../test/support/browsers/stored-browser.ts";
import type { Standing, Terms } from "../../domain/plan/entitlement.ts";
import { type Act, COMMAND_LINE } from "../../ports/store/audit-store.ts";
import { EmailTaken } from "../../ports/store/account-store.ts";
import { KeyTaken, type Store } from "../../ports/store/store.ts";

const now = ACCOUNT.createdAt;
const period = "2026-11";

function refused(standing: Standing) {
  return { standing, isOutdated: false };
}

/** Terms that don't allow any browsers, and the standing of an account without browsers. */
const REFUSING: Terms = { parallel: 0, units: undefined };
const NOTHING: Standing = { isBarred: false, browsers: 0, units: 0 };

const engines = startSqlEngines();

// All engines share the code of these tables.
describe.each(HAS_VARIANTS ? engines : engines.slice(0, 1))("$name", ({ openStore }) => {
  const withAccount = () => openWithAccount(openStore);

  describe("accounts", () => {
    test("are found by email address in any case, and by each valid token", async () => {
      await using store = await withAccount();
      expect(await store.accounts.findByEmail("someone@example.COM")).toEqual(ACCOUNT);
      expect(await store.tokens.findAccount("hash")).toEqual(ACCOUNT);
      await store.tokens.replaceAll(ACCOUNT.id, toToken("new"));
      expect(await store.tokens.findAccount("hash")).toBeUndefined();
      expect(await store.tokens.findAccount("new")).toEqual(ACCOUNT);
    });

    test("an email address can be used only once, and the second attempt doesn't create a token", async () => {
      await using store = await withAccount();
      const second = { ...ACCOUNT, id: "second", email: ACCOUNT.email.toUpperCase() };
      await expect(store.accounts.create(second, { token: toToken("other") })).rejects.toThrow(EmailTaken);
      expect(await store.tokens.findAccount("other")).toBeUndefined();
    });

    test("confusable email addresses count as the same address", async () => {
      await using store = await withAccount();
      const [local = "", domain = ""] = ACCOUNT.email.split("@");
      for (const email of [`${local}@ｅ${domain.slice(1)}`, ACCOUNT.email.replaceAll("o", "\u043e")]) {
        expect(await store.accounts.findByEmail(email)).toEqual(ACCOUNT);
        await expect(store.accounts.create({ ...ACCOUNT, id: "second", email }, {})).rejects.toThrow(EmailTaken);
        const page = { search: email, after: undefined, limit: 9, period };
        expect(await store.accounts.page(page)).toMatchObject([{ id: ACCOUNT.id }]);
      }
    });

    test("null removes an override, and other columns don't change", async () => {
      await using store = await withAccount();
      await store.accounts.change(ACCOUNT.id, { parallel: null, units: 7, hasAdditionalUnits: true });
      expect(await store.accounts.findByEmail(ACCOUNT.email)).toEqual({
        ...ACCOUNT,
        version: 1,
        parallel: undefined,
        units: 7,
        hasAdditionalUnits: true,
      });
    });
  });

  test("actions are listed newest first, in pages, and can be filtered by subject", async () => {
    await using store = await openStore();
    const toAct = (id: string, subject: string): Act => {
      return { id, at: now, actor: COMMAND_LINE, act: "terms", subject, details: { plan: null, units: 3 } };
    };
    const [first, second, third] = [toAct("1", "anna"), toAct("2", "ben"), toAct("3", "anna")];
    for (const act of [first, third, second]) await store.audit.add(act);
    expect(await store.audit.list({ subject: undefined })).toEqual([third, second, first]);
    expect(await store.audit.list({ subject: undefined, before: "3", limit: 1 })).toEqual([second]);
    expect(await store.audit.list({ subject: "anna", before: "3" })).toEqual([first]);
  });
});

describe.each(engines)("$name", ({ openStore }) => {
  const withAccount = () => openWithAccount(openStore);

  describe("reservations", () => {
    test("a refused reservation writes nothing", async () => {
      await using store = await withAccount();
      for (const again of ["a", "b"]) {
        expect(await store.browsers.reserve(toReservation(again), REFUSING)).toEqual(refused(NOTHING));
      }
    });

    test.each([
      ["disabled", (store: Store) => store.accounts.change(ACCOUNT.id, { isDisabled: true })],
      ["deleted", (store: Store) => store.accounts.erase(ACCOUNT.id, now)],
    ])("are refused for a %s account", async (_, bar) => {
      await using store = await withAccount();
      await bar(store);
      expect(await store.browsers.reserve(toReservation("a"), UNLIMITED)).toMatchObject({
        standing: { ...NOTHING, isBarred: true },
      });
    });

    test("count as a browser and a unit until they are opened or cancelled", async () => {
      await using store = await withAccount();
      const one = { ...NOTHING, browsers: 1, units: 1 };
      expect(await store.browsers.reserve(toReservation("a"), { parallel: 2, units: 2 })).toBeUndefined();
      expect(await store.browsers.reserve(toReservation("b"), { parallel: 1, units: 2 })).toEqual(refused(one));
      expect(await store.browsers.reserve(toReservation("b"), { parallel: 2, units: 1 })).toEqual(refused(one));
      expect(await store.browsers.reserve(toReservation("b"), { parallel: 2, units: 2 })).toBeUndefined();
      await store.browsers.cancel("a");
      await store.browsers.commitOpen("b", "ws://x", now);
      expect(await store.browsers.reserve(toReservation("c"), REFUSING)).toEqual(refused(one));
    });

    test("are outdated when the account has changed since its terms were computed", async () => {
      await using store = await withAccount();
      await store.accounts.change(ACCOUNT.id, { units: 3 });
      expect(await store.browsers.reserve(toReservation("a"), UNLIMITED)).toEqual({
        standing: NOTHING,
        isOutdated: true,
      });
      const account = await store.accounts.find(ACCOUNT.id);
      expect(account?.version).toBe(1);
      expect(await store.browsers.reserve({ ...toReservation("a"), version: 1 }, UNLIMITED)).toBeUndefined();
    });

    test("are cancelled, and their unit is returned, if the outcome of opening them is unknown", async () => {
      await using store = await withAccount();
      await store.browsers.reserve(toReservation("a"), UNLIMITED);
      await store.browsers.reserve(toReservation("b"), UNLIMITED);
      await store.browsers.commitOpen("a", "ws://x", now);
      const loads = (): Promise<unknown> => store.usage.loads([ACCOUNT.id, "unknown"]);
      expect(await loads()).toEqual(new Map([[ACCOUNT.id, { version: 0, browsers: 2 }]]));
      await store.browsers.cancel("b");
      await store.browsers.cancel("a");
      await store.browsers.cancel("a");
      expect(await loads()).toEqual(new Map([[ACCOUNT.id, { version: 0, browsers: 0 }]]));
      expect(await store.usage.month(ACCOUNT.id, period)).toEqual({
        period,
        units: 0,
        openBrowsers: 0,
        openingBrowsers: 0,
      });
      expect(await store.browsers.reserve(toReservation("b"), REFUSING)).toEqual(refused(NOTHING));
    });
  });

  describe("an Idempotency-Key", () => {
    const idempotency = { key: "key", options: "options" };
    const keyed = (browserId: string) => ({ ...toReservation(browserId), idempotency });

    test("belongs to a single browser of an account, from the browser's reservation until some time after it ends", async () => {
      await using store = await withAccount();
      const find = () => store.browsers.findKeyed(ACCOUNT.id, ["other key", "key"]);
      expect(await find()).toBeUndefined();
      await store.browsers.reserve(keyed("a"), UNLIMITED);
      const found = { browserId: "a", options: "options", endedAt: undefined };
      expect(await find()).toEqual({ ...found, address: undefined });
      await expect(store.browsers.reserve(keyed("b"), UNLIMITED)).rejects.toThrow(KeyTaken);
      expect(await store.usage.month(ACCOUNT.id, period)).toMatchObject({ openingBrowsers: 1, openBrowsers: 0 });
      await store.browsers.commitOpen("a", "ws://a", now);
      expect(await find()).toEqual({ ...found, address: "ws://a" });
      await store.browsers.close("a", { at: now, reason: "requested", minutes: 1 });
      expect(await find()).toEqual({ ...found, address: "ws://a", endedAt: now });
      await expect(store.browsers.reserve(keyed("b"), UNLIMITED)).rejects.toThrow(KeyTaken);
      expect(await store.browsers.freeKeys(now, 10)).toBe(0);
      expect(await store.browsers.freeKeys(new Date(now.getTime() + 1), 10)).toBe(1);
      expect(await find()).toBeUndefined();
    });

    test("is freed when its browser is refused or cancelled", async () => {
      await using store = await withAccount();
      expect(await store.browsers.reserve(keyed("a"), REFUSING)).toEqual(refused(NOTHING));
      for (const id of ["b", "c"]) {
        expect(await store.browsers.reserve(keyed(id), UNLIMITED)).toBeUndefined();
        if (id === "c") await store.browsers.commitOpen(id, "ws://c", now);
        await store.browsers.cancel(id);
        expect(await store.browsers.findKeyed(ACCOUNT.id, ["key"])).toBeUndefined();
      }
    });
  });
});
