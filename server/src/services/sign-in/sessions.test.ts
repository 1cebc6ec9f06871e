import { randomBytes } from "node:crypto";
import { expect, test, vi } from "vitest";
import { newRig, type Rig } from "../../../test/support/servers/services-rig.ts";
import { Sessions } from "./sessions.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const newSessions = ({ store, clock }: Rig): Sessions => new Sessions({ store: store.sessions, clock, randomBytes });

test("a session ends after seven days without a page view", async () => {
  await using rig = await newRig();
  const sessions = newSessions(rig);
  const account = await rig.account();
  const secret = await sessions.begin(account);
  await rig.clock.pass(7 * DAY_MS - 1);
  expect(await sessions.find(secret)).toEqual(account);
  await rig.clock.pass(7 * DAY_MS - 1);
  expect(await sessions.find(secret)).toEqual(account);
  await rig.clock.pass(7 * DAY_MS);
  expect(await sessions.find(secret)).toBeUndefined();
});

test("a session ends after thirty days, even with page views", async () => {
  await using rig = await newRig();
  const sessions = newSessions(rig);
  const secret = await sessions.begin(await rig.account());
  for (let day = 0; day < 29; day += 1) {
    await rig.clock.pass(DAY_MS);
    expect(await sessions.find(secret), `day ${day}`).toBeDefined();
  }
  await rig.clock.pass(DAY_MS - 1);
  expect(await sessions.find(secret)).toBeDefined();
  await rig.clock.pass(1);
  expect(await sessions.find(secret)).toBeUndefined();
});

test("page views extend a session once an hour, because each extension is a write", async () => {
  await using rig = await newRig();
  const extend = vi.spyOn(rig.store.sessions, "extend");
  const sessions = newSessions(rig);
  const secret = await sessions.begin(await rig.account());
  for (let minute = 0; minute < 59; minute += 1) {
    await rig.clock.pass(60_000);
    await sessions.find(secret);
  }
  expect(extend).toHaveBeenCalledTimes(0);
  await rig.clock.pass(60_000);
  await sessions.find(secret);
  expect(extend).toHaveBeenCalledTimes(1);
});

test("isAlive doesn't extend a session", async () => {
  await using rig = await newRig();
  const sessions = newSessions(rig);
  const account = await rig.account();
  const secret = await sessions.begin(account);
  for (let day = 0; day < 6; day += 1) {
    await rig.clock.pass(DAY_MS);
    expect(await sessions.isAlive(secret), `day ${day}`).toBe(true);
  }
  await rig.clock.pass(DAY_MS);
  expect(await sessions.isAlive(secret)).toBe(false);
  expect(await sessions.find(secret)).toBeUndefined();
});

test("secrets are unique, and unknown secrets are refused", async () => {
  await using rig = await newRig();
  const sessions = newSessions(rig);
  const account = await rig.account();
  const secrets = await Promise.all(Array.from({ length: 50 }, () => sessions.begin(account)));
  expect(new Set(secrets).size).toBe(50);
  for (const wrong of ["", "x".repeat(43), `${secrets[0]} `, secrets[0]?.slice(1) ?? ""])
    expect(await sessions.find(wrong)).toBeUndefined();
});

test("a session of a disabled or erased account is not valid", async () => {
  await using rig = await newRig();
  const sessions = newSessions(rig);
  const account = await rig.account();
  const secret = await sessions.begin(account);
  await rig.store.accounts.change(account.id, { isDisabled: true });
  expect([await sessions.find(secret), await sessions.isAlive(secret)]).toEqual([undefined, false]);
  await rig.store.accounts.erase(account.id, rig.clock.now());
  expect(await sessions.find(secret)).toBeUndefined();
});

test("ending the other sessions keeps the current session and other accounts' sessions", async () => {
  await using rig = await newRig();
  const sessions = newSessions(rig);
  const [anna, bert] = [await rig.account(), await rig.account()];
  const [one, two, others] = [await sessions.begin(anna), await sessions.begin(anna), await sessions.begin(bert)];
  await sessions.endOthers(anna, one);
  const found = await Promise.all([one, two, others].map((secret) => sessions.find(secret)));
  expect(found).toEqual([anna, undefined, bert]);
});
