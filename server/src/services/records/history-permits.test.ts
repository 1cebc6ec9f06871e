import { expect, test } from "vitest";
import { newRig } from "../../../test/support/servers/services-rig.ts";
import { until } from "../../../test/support/until.ts";
import type { Account } from "../../domain/account/account.ts";
import type { Failure } from "../../domain/failure.ts";
import { BrowserRecords } from "./records.ts";

test("at most three histories, two per account, are read at the same time, and a waiting request is refused after ten seconds", async () => {
  await using rig = await newRig();
  const [anna, ben] = [await rig.account(), await rig.account()];
  const reading: string[] = [];
  const { promise: read, resolve: answer } = Promise.withResolvers<[]>();
  const ended = (accountId: string) => {
    reading.push(accountId);
    return read;
  };
  const store = { ...rig.store.usage, ended };
  const records = new BrowserRecords({ fleet: rig.fleet, store, clock: rig.clock, historyDays: undefined });
  const list = (account: Account): Promise<string> =>
    records.list(account, {}, 1, undefined).then(
      () => "read",
      (error: unknown) => (error as Failure).failure,
    );
  const lists = [anna, anna, anna, ben, ben].map(list);
  await until(
    () => reading.length,
    (count) => count === 3,
  );
  expect(reading).toEqual([anna.id, anna.id, ben.id]);
  await rig.clock.pass(10_000);
  answer([]);
  expect(await Promise.all(lists)).toEqual(["read", "read", "BrowserUnavailable", "read", "BrowserUnavailable"]);
  expect(await list(anna)).toBe("read");
});
