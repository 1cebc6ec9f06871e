import { expect, test } from "vitest";
import { newRig, OPTIONS } from "../../../test/support/new-browsers.ts";

const NEVER = new AbortController().signal;
const SPEC = { ...OPTIONS, id: "given" };

test("a new browser is called what its Open is called, a warm one keeps its name", async () => {
  await using rig = await newRig({ warm: [{ options: OPTIONS, count: 1 }] });
  await rig.clock.pass(500);
  const [warm, cold] = [await rig.launcher.open(SPEC, NEVER), await rig.launcher.open(SPEC, NEVER)];
  expect([warm.isWarm, cold.isWarm, cold.cell]).toEqual([true, false, "given"]);
  expect(warm.cell).toBe(rig.log.lines.find(({ event }) => event === "warm.started")?.facts?.["id"]);
});

test("a kind that is not installed is refused at once: nobody waits or gives way for it", async () => {
  await using rig = await newRig({
    capacity: 1,
    warm: [{ options: OPTIONS, count: 1 }],
    gate: { atOnce: 1, maxQueued: 0 },
  });
  await rig.clock.pass(500);
  using _place = rig.capacity.take();
  using _turn = await rig.gate.acquire(NEVER);
  const refused = { failure: "BrowserUnavailable", retryAfterS: undefined };
  await expect(rig.launcher.open({ ...SPEC, kind: "chrome" }, NEVER)).rejects.toMatchObject(refused);
  expect(rig.pool.standing).toBe(1);
});

test("a launch that fails gives its turn back", async () => {
  const cause = new Error("It does not start.");
  await using rig = await newRig({
    gate: { atOnce: 1, maxQueued: 0 },
    host: (fake) => ({
      kinds: fake.kinds,
      open: () => Promise.reject(cause),
      [Symbol.asyncDispose]: async () => {},
    }),
  });
  await expect(rig.launcher.open(SPEC, NEVER)).rejects.toBe(cause);
  await expect(rig.launcher.open(SPEC, NEVER)).rejects.toBe(cause);
  expect(rig.gate.running).toBe(0);
});

test("whoever has left before is given nothing, and nothing gives way", async () => {
  await using rig = await newRig({ capacity: 1, warm: [{ options: OPTIONS, count: 1 }] });
  await rig.clock.pass(500);
  using _place = rig.capacity.take();
  const gone = AbortSignal.abort(new Error("gone"));
  await expect(rig.launcher.open(SPEC, gone)).rejects.toThrow("gone");
  await expect(rig.launcher.open({ ...SPEC, isStealthy: false }, gone)).rejects.toThrow("gone");
  expect([rig.pool.standing, rig.host.running]).toEqual([1, 1]);
});
