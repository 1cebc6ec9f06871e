import { expect, test } from "vitest";
import { OPEN_TIMEOUT_MS, newRig, OPTIONS } from "../../../test/support/servers/services-rig.ts";
import { settled } from "../../../test/fakes/fake-clock.ts";
import { openedLogs } from "../../../test/support/servers/warm-rig.ts";

const NEVER = new AbortController().signal;
const ONE_WARM = [{ options: OPTIONS, count: 1 }];

test("the log identifies a browser's sandbox by the browser's id, or by the warm browser's id", async () => {
  await using rig = await newRig({ warm: ONE_WARM });
  await rig.clock.pass(500);
  const account = await rig.account();
  await rig.open(account);
  const { id } = await rig.open(account);
  const sandbox = rig.log.lines.find(({ event }) => event === "warm.started")?.facts?.["id"];
  expect(openedLogs(rig)).toMatchObject([
    { isWarm: true, sandbox },
    { isWarm: false, sandbox: id },
  ]);
});

test("a kind that isn't installed is refused immediately, without waiting and without ending a warm browser", async () => {
  await using rig = await newRig({ capacity: 1, warm: ONE_WARM, gate: { atOnce: 1, maxQueued: 0 } });
  await rig.clock.pass(500);
  using _turn = await rig.gate.acquire(NEVER);
  await expect(rig.open(await rig.account(), { kind: "chrome" })).rejects.toMatchObject({
    failure: "BrowserUnavailable",
    retryAfterS: undefined,
    message: expect.stringMatching(/^Chrome \(0\) is not installed here: leave out Browser, or choose Chromium \(2\)/),
  });
  expect(rig.pool.ready).toBe(1);
});

test("a graphical browser on a machine without screens is refused with a message that names the required setting", async () => {
  await using rig = await newRig({ host: (fake) => Object.assign(fake, { isHeadlessOnly: true }) });
  const account = await rig.account();
  await expect(rig.open(account, { isHeadless: false })).rejects.toMatchObject({
    failure: "BrowserUnavailable",
    message: "Xvnc is not installed here, so browsers have no screens: set Headless to true.",
  });
  await expect(rig.open(account, { isHeadless: true })).resolves.toBeDefined();
});

test("a failed launch releases its permit", async () => {
  const cause = new Error("The browser does not start.");
  await using rig = await newRig({
    gate: { atOnce: 1, maxQueued: 0 },
    host: (fake) => ({
      kinds: fake.kinds,
      launch: () => Promise.reject(cause),
      [Symbol.asyncDispose]: async () => {},
    }),
  });
  const account = await rig.account();
  await expect(rig.open(account)).rejects.toBe(cause);
  await expect(rig.open(account)).rejects.toBe(cause);
  expect(rig.gate.running).toBe(0);
});

test("a late request gets its response before its resources are released", async () => {
  const released = Promise.withResolvers<void>();
  await using rig = await newRig({
    host: (fake) => ({
      kinds: fake.kinds,
      async launch(_, signal) {
        await released.promise;
        throw signal.reason;
      },
      [Symbol.asyncDispose]: async () => {},
    }),
  });
  const opening = rig.open(await rig.account()).catch((error: unknown) => error);
  await settled();
  await rig.clock.pass(OPEN_TIMEOUT_MS);
  expect(await opening).toMatchObject({
    failure: "BrowserUnavailable",
    message: "The browser did not start within 55 s. Try again in 5 s.",
    retryAfterS: 5,
  });
  expect([rig.gate.running, rig.capacity.taken]).toEqual([1, 1]);
  released.resolve();
  await rig.localBrowsers.idle();
  expect([rig.gate.running, rig.capacity.taken]).toEqual([0, 0]);
});

test("an Open request whose caller has disconnected returns no browser and doesn't end a warm browser", async () => {
  await using rig = await newRig({ capacity: 1, warm: ONE_WARM });
  await rig.clock.pass(500);
  const account = await rig.account();
  const gone = AbortSignal.abort(new Error("gone"));
  await expect(rig.open(account, {}, gone)).rejects.toThrow("gone");
  await expect(rig.open(account, { isStealthy: false }, gone)).rejects.toThrow("gone");
  expect([rig.pool.ready, rig.host.running]).toEqual([1, 1]);
});
