import { once } from "node:events";
import { WebSocket } from "ws";
import { describe, expect, test } from "vitest";
import { heldBy, newRig, NOTHING } from "../../../test/support/servers/services-rig.ts";
import { CHARGE_EVERY_MS } from "../records/charges.ts";

const MINUTE = 60_000;

/** Returns a client that records how it was ended. */
function newClient(): { ends: [number, string][]; end(code: number, reason: string): void } {
  const ends: [number, string][] = [];
  return { ends, end: (code, reason) => ends.push([code, reason]) };
}

describe("inactivity", () => {
  test("closes an unused browser exactly at the end of the inactivity period", async () => {
    await using rig = await newRig();
    const account = await rig.account();
    await rig.open(account, { keepOpenMs: 2500 });
    await rig.clock.pass(2499);
    expect(rig.localBrowsers.list(account)).toHaveLength(1);
    await rig.clock.pass(1);
    expect(await heldBy(rig, account)).toEqual(NOTHING);
  });

  test("doesn't close a browser with a silent client, and restarts when the last client disconnects", async () => {
    await using rig = await newRig();
    const account = await rig.account();
    const browser = await rig.open(account, { keepOpenMs: 2500 });
    const leave = browser.join(newClient());
    await rig.clock.pass(5 * MINUTE);
    expect(rig.localBrowsers.list(account)).toHaveLength(1);
    leave();
    leave();
    await rig.clock.pass(2499);
    expect(rig.localBrowsers.list(account)).toHaveLength(1);
    await rig.clock.pass(1);
    expect(rig.localBrowsers.list(account)).toHaveLength(0);
  });

  test("a client that disconnects twice is counted once", async () => {
    await using rig = await newRig();
    const account = await rig.account();
    const browser = await rig.open(account, { keepOpenMs: 2500 });
    const leave = browser.join(newClient());
    browser.join(newClient());
    leave();
    leave();
    await rig.clock.pass(MINUTE);
    expect(rig.localBrowsers.list(account)).toHaveLength(1);
  });

  test("a browser in use ends at the plan's maximum lifetime, and its client is notified", async () => {
    await using rig = await newRig();
    const account = await rig.account({ units: 100 });
    const browser = await rig.open(account, { keepOpenMs: 0 });
    const client = newClient();
    browser.join(client);
    await rig.clock.pass(10 * MINUTE);
    expect(client.ends).toEqual([[1000, "browser closed: lifetime"]]);
    expect(await heldBy(rig, account)).toEqual(NOTHING);
  });
});

describe("the end", () => {
  test("notifies each client once, and notifies late joiners immediately", async () => {
    await using rig = await newRig();
    const browser = await rig.open(await rig.account());
    const [early, late] = [newClient(), newClient()];
    browser.join(early);
    await Promise.all([browser.close("requested"), browser.close("crashed")]);
    browser.join(late)();
    expect(early.ends).toEqual([[1000, "browser closed: requested"]]);
    expect(late.ends).toEqual(early.ends);
  });

  test("a browser that exits by itself is closed like any other browser", async () => {
    await using rig = await newRig();
    const account = await rig.account();
    const browser = await rig.open(account);
    const connected = await browser.connect(new AbortController().signal);
    const devtools = new WebSocket(`ws://fake${browser.devtoolsPath}`, {
      createConnection: () => connected,
    });
    await once(devtools, "open");
    devtools.send(JSON.stringify({ id: 1, method: "Browser.close" }));
    await browser.closed;
    expect(rig.log.lines.at(-1)).toMatchObject({ event: "browser.closed", facts: { reason: "exited", units: 1 } });
    expect(await heldBy(rig, account)).toEqual(NOTHING);
  });
});

describe("units", () => {
  test("one unit is charged when the browser opens, and another for each further minute that starts", async () => {
    await using rig = await newRig();
    const account = await rig.account();
    const browser = await rig.open(account, { keepOpenMs: 0 });
    expect(await rig.unitsUsed(account)).toBe(1);
    await rig.clock.pass(MINUTE + CHARGE_EVERY_MS - 1);
    expect(await rig.unitsUsed(account)).toBe(1);
    await rig.clock.pass(1);
    expect(await rig.unitsUsed(account)).toBe(2);
    await rig.clock.pass(3 * MINUTE - CHARGE_EVERY_MS + 1);
    await browser.close("requested");
    await rig.clock.pass(5 * MINUTE);
    expect(await rig.unitsUsed(account)).toBe(5);
  });

  test("running out of units doesn't end a browser, and the excess is recorded", async () => {
    await using rig = await newRig();
    const account = await rig.account({ units: 1 });
    await rig.open(account, { keepOpenMs: 0 });
    await rig.clock.pass(2 * MINUTE + CHARGE_EVERY_MS);
    expect(rig.localBrowsers.list(account)).toHaveLength(1);
    expect(await rig.unitsUsed(account)).toBe(3);
    await expect(rig.open(account)).rejects.toMatchObject({ failure: "NoUnits" });
  });

  test("a minute counts toward the month in which it starts, and a new month starts at zero", async () => {
    await using rig = await newRig({ start: "2026-11-30T23:58:30.000Z" });
    const account = await rig.account({ units: 2 });
    await rig.open(account, { keepOpenMs: 0 });
    await rig.clock.pass(MINUTE + CHARGE_EVERY_MS);
    expect(await rig.unitsUsed(account)).toBe(2);
    await rig.clock.pass(MINUTE);
    expect(await rig.unitsUsed(account)).toBe(1);
    await rig.open(account);
    expect(await rig.unitsUsed(account)).toBe(2);
  });

  test("if recording a browser's end fails, it is retried until it succeeds", async () => {
    await using rig = await newRig();
    const account = await rig.account();
    const browser = await rig.open(account);
    const { close } = rig.store.browsers;
    rig.store.browsers.close = () => Promise.reject(new Error("The disk is full."));
    await browser.close("requested");
    expect(await heldBy(rig, account)).toEqual({ ...NOTHING, rows: 1 });
    rig.store.browsers.close = close;
    await rig.clock.pass(5000);
    expect(await heldBy(rig, account)).toEqual(NOTHING);
  });
});

test("a browser's end is reported once to each remaining listener", async () => {
  await using rig = await newRig();
  const browser = await rig.open(await rig.account());
  const told: string[] = [];
  browser.onEnd(() => told.push("waiting"));
  const cancel = browser.onEnd(() => told.push("cancelled"));
  cancel();
  await browser.close("requested");
  browser.onEnd(() => told.push("late"));
  expect(told).toEqual(["waiting", "late"]);
});
