import { expect, test, vi } from "vitest";
import { newRig, type Rig } from "../../../test/support/servers/services-rig.ts";
import { SuspensionSweep } from "./suspension-sweep.ts";

const SWEEP_MS = 1000;

function newSweep({ store, localBrowsers, clock, log }: Rig): SuspensionSweep {
  return new SuspensionSweep({ store: store.accounts, localBrowsers, clock, log });
}

test("when another process disables an account, the next sweep closes only that account's browsers", async () => {
  await using rig = await newRig();
  using sweep = newSweep(rig);
  sweep.start();
  const [anna, bert] = [await rig.account(), await rig.account()];
  const [annas, berts] = [await rig.open(anna), await rig.open(bert, { keepOpenMs: 60_000 })];
  const ends: unknown[] = [];
  annas.join({ end: (code, reason) => ends.push({ code, reason }) });
  await rig.store.accounts.change(anna.id, { isDisabled: true });
  await rig.clock.pass(SWEEP_MS);
  expect(ends).toEqual([{ code: 1008, reason: "browser closed: disabled" }]);
  expect([...rig.localBrowsers.all()]).toEqual([berts]);
  await annas.closed;
  expect(rig.host.running).toBe(1);
  expect(await rig.store.usage.ended(anna.id, undefined, 9)).toMatchObject([{ reason: "disabled" }]);
});

test("the sweep continues after a store failure, and stops when disposed", async () => {
  await using rig = await newRig();
  const sweep = newSweep(rig);
  sweep.start();
  const account = await rig.account();
  const browser = await rig.open(account, { keepOpenMs: 600_000 });
  await rig.clock.pass(5 * SWEEP_MS);
  vi.spyOn(rig.store.accounts, "findSuspended").mockRejectedValueOnce(new Error("busy"));
  await rig.clock.pass(SWEEP_MS);
  expect(rig.log.lines).toContainEqual(expect.objectContaining({ event: "accounts.check_failed" }));
  await rig.store.accounts.change(account.id, { isDisabled: true });
  await rig.clock.pass(SWEEP_MS);
  await browser.closed;
  sweep[Symbol.dispose]();
  const waiting = rig.clock.pending;
  await rig.clock.pass(10 * SWEEP_MS);
  expect(rig.clock.pending).toBe(waiting);
});

test("a browser that closes slowly doesn't delay other accounts' browsers", async () => {
  await using rig = await newRig();
  using sweep = newSweep(rig);
  sweep.start();
  const [anna, bert] = [await rig.account(), await rig.account()];
  const [slow, other] = [await rig.open(anna), await rig.open(bert)];
  const { promise, resolve } = Promise.withResolvers<void>();
  vi.spyOn(slow, "close").mockReturnValue(promise);
  await rig.store.accounts.change(anna.id, { isDisabled: true });
  await rig.clock.pass(SWEEP_MS);
  await rig.store.accounts.change(bert.id, { isDisabled: true });
  await rig.clock.pass(SWEEP_MS);
  await other.closed;
  expect([...rig.localBrowsers.all()]).toEqual([slow]);
  vi.mocked(slow.close).mockRestore();
  resolve();
});

test("a browser that was being opened when its account was disabled is closed", async () => {
  await using rig = await newRig();
  using sweep = newSweep(rig);
  sweep.start();
  const account = await rig.account();
  const { promise: disabled, resolve } = Promise.withResolvers<void>();
  const launch = rig.host.launch.bind(rig.host);
  vi.spyOn(rig.host, "launch").mockImplementationOnce(async (...args) => {
    await disabled;
    return launch(...args);
  });
  const opening = rig.open(account);
  await vi.waitFor(() => expect(rig.host.launch).toHaveBeenCalled());
  await rig.store.accounts.change(account.id, { isDisabled: true });
  resolve();
  const browser = await opening;
  await rig.clock.pass(SWEEP_MS);
  await browser.closed;
  expect(rig.host.running).toBe(0);
});

test("a browser that was being opened when its account was erased is closed, and its label isn't stored", async () => {
  await using rig = await newRig();
  using sweep = newSweep(rig);
  sweep.start();
  const account = await rig.account();
  const { promise: erased, resolve } = Promise.withResolvers<void>();
  const launch = rig.host.launch.bind(rig.host);
  vi.spyOn(rig.host, "launch").mockImplementationOnce(async (...args) => {
    await erased;
    return launch(...args);
  });
  const opening = rig.open(account, { label: "canary-label" });
  await vi.waitFor(() => expect(rig.host.launch).toHaveBeenCalled());
  await rig.accounts.erase(account);
  resolve();
  const browser = await opening;
  await rig.clock.pass(SWEEP_MS);
  await browser.closed;
  expect([rig.host.running, rig.capacity.taken]).toEqual([0, 0]);
  expect(await rig.store.usage.ended(account.id, undefined, 9)).toMatchObject([
    { reason: "disabled", label: undefined },
  ]);
});

test("an Open request that started before its account was suspended is refused", async () => {
  await using rig = await newRig();
  const [disabled, erased] = [await rig.account(), await rig.account()];
  await rig.store.accounts.change(disabled.id, { isDisabled: true });
  await rig.store.accounts.erase(erased.id, rig.clock.now());
  for (const account of [disabled, erased])
    await expect(rig.open(account, { label: "canary" })).rejects.toMatchObject({ failure: "AuthorizationError" });
  expect(rig.host.running).toBe(0);
  expect(rig.capacity.taken).toBe(0);
});
