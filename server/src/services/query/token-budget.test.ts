import { beforeEach, expect, test } from "vitest";
import { FakeClock } from "../../../test/fakes/fake-clock.ts";
import { FakeQueryStore } from "../../../test/fakes/fake-query-store.ts";
import { RecordingLog } from "../../../test/fakes/recording-log.ts";
import { TokenBudget } from "./token-budget.ts";

const TO_MIDNIGHT_S = 14 * 60 * 60;

let clock: FakeClock;
let store: FakeQueryStore;
let log: RecordingLog;

beforeEach(() => {
  clock = new FakeClock("2026-11-21T10:00:00.000Z");
  store = new FakeQueryStore();
  log = new RecordingLog();
});

function newBudget(perAccount: number | undefined, perDeployment: number | undefined): TokenBudget {
  return new TokenBudget({ store, clock, log, perAccount, perDeployment });
}

test("an account's tokens are limited until the next day", async () => {
  const budget = newBudget(20, undefined);
  await budget.spend("a1", 19);
  await budget.check("a1");
  await budget.spend("a1", 1);
  await expect(budget.check("a1")).rejects.toMatchObject({
    failure: "TooManyRequests",
    message: expect.stringContaining("its 20 language-model tokens for today"),
    retryAfterS: TO_MIDNIGHT_S,
  });
  await budget.check("a2");
  await clock.pass(TO_MIDNIGHT_S * 1000);
  await budget.check("a1");
});

test("the total tokens of all accounts are limited", async () => {
  const budget = newBudget(undefined, 100);
  await budget.spend("a1", 60);
  await budget.spend("a2", 40);
  await expect(budget.check("a3")).rejects.toMatchObject({
    failure: "ProviderUnavailable",
    retryAfterS: TO_MIDNIGHT_S,
  });
});

test("without limits, no tokens are counted", async () => {
  const budget = newBudget(undefined, undefined);
  await budget.spend("a1", 1_000_000);
  await budget.check("a1");
  expect(store.used.size).toBe(0);
});

test("a failure to count tokens is logged", async () => {
  store.isBroken = true;
  await newBudget(20, undefined).spend("a1", 5);
  expect(log.lines).toMatchObject([{ event: "query.tokens_not_counted", facts: { account: "a1", tokens: 5 } }]);
});
