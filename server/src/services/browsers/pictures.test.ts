import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Rig, newRig } from "../../../test/support/new-browsers.ts";
import type { Account } from "../../domain/account/account.ts";
import type { HostedBrowser } from "../../ports/browser-host.ts";
import type { Picture } from "../../ports/picture.ts";
import type { OpenBrowser } from "./open-browser.ts";
import { PICTURES_AT_ONCE, PICTURE_AGE_MS, Pictures } from "./pictures.ts";

const NEVER = new AbortController().signal;

/** A picture that is being taken, as the test wants it to end. */
type Shot = {
  readonly signal: AbortSignal;
  readonly ends: (picture: Picture) => void;
  readonly fails: (error: Error) => void;
};

let rig: Rig;
let account: Account;
let pictures: Pictures;
/** All that were asked for, oldest first. */
let shots: Shot[];
let browser: OpenBrowser;

beforeEach(async () => {
  shots = [];
  rig = await newRig({
    host: (fake) => ({
      kinds: fake.kinds,
      async open(spec, signal): Promise<HostedBrowser> {
        return Object.assign(await fake.open(spec, signal), { takePicture: shoot });
      },
      [Symbol.asyncDispose]: async () => {},
    }),
  });
  pictures = new Pictures({ clock: rig.clock, log: rig.log });
  account = await rig.account();
  browser = await rig.open(account, { keepOpenMs: 60_000 });
});

afterEach(async () => {
  await Promise.all(rig.browsers.list(account).map((one) => one.close("requested")));
  await settled();
  expectNothingKept();
  await rig[Symbol.asyncDispose]();
});

/** Nor does anybody wait for a shot any more, whether it was taken to its end or not. */
function expectNothingKept(): void {
  expect(pictures.held).toBe(0);
  for (const { signal } of shots) expect(signal.aborted).toBe(true);
}

function shoot(signal: AbortSignal): Promise<Picture> {
  const { promise, resolve, reject } = Promise.withResolvers<Picture>();
  signal.addEventListener("abort", () => reject(signal.reason));
  if (signal.aborted) reject(signal.reason);
  shots.push({ signal, ends: resolve, fails: reject });
  return promise;
}

const toPicture = (name: string): Picture => ({ type: "image/png", bytes: Buffer.from(name) });

async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
}

/** Takes one whose shot ends with this picture or error. */
async function takeWith(outcome: Picture | Error): Promise<Picture | undefined> {
  const before = shots.length;
  const taking = pictures.take(browser, NEVER);
  await settled();
  expect(shots).toHaveLength(before + 1);
  if (outcome instanceof Error) shots.at(-1)?.fails(outcome);
  else shots.at(-1)?.ends(outcome);
  return taking;
}

describe("a picture", () => {
  test("is taken once for all who ask at the same time, and kept until it is not recent any more", async () => {
    const first = toPicture("first");
    const asking = [pictures.take(browser, NEVER), pictures.take(browser, NEVER)];
    await settled();
    expect(shots).toHaveLength(1);
    shots[0]?.ends(first);
    expect(await Promise.all(asking)).toEqual([first, first]);
    await rig.clock.pass(PICTURE_AGE_MS - 1);
    expect(await pictures.take(browser, NEVER)).toBe(first);
    expect(shots).toHaveLength(1);
    await rig.clock.pass(1);
    const second = toPicture("second");
    expect(await takeWith(second)).toBe(second);
  });

  test("that can't be taken is the last one, and is tried again later and later", async () => {
    const last = toPicture("last");
    await takeWith(last);
    await rig.clock.pass(PICTURE_AGE_MS);
    expect(await takeWith(new Error("It hangs."))).toBe(last);
    expect(pictures.takenAt(browser)).toEqual(new Date(rig.clock.now().getTime() - PICTURE_AGE_MS));
    expect(rig.log.lines.at(-1)).toMatchObject({ event: "picture.failed", facts: { id: browser.id, failures: 1 } });
    await rig.clock.pass(2 * PICTURE_AGE_MS - 1);
    expect(await pictures.take(browser, NEVER)).toBe(last);
    expect(shots).toHaveLength(2);
    await rig.clock.pass(1);
    const next = toPicture("next");
    expect(await takeWith(next)).toBe(next);
    await rig.clock.pass(PICTURE_AGE_MS);
    await takeWith(next);
  });

  test("that was never taken is none", async () => {
    expect(await takeWith(new Error("It hangs."))).toBeUndefined();
  });

  test("is no activity: the browser ends when its period is over, however often somebody looks", async () => {
    for (let second = 0; second < 59; second += 1) {
      await rig.clock.pass(1000);
      void pictures.take(browser, NEVER);
      await settled();
      shots.at(-1)?.ends(toPicture(`second ${second}`));
    }
    expect(rig.browsers.list(account)).toHaveLength(1);
    await rig.clock.pass(1000);
    expect(rig.browsers.list(account)).toHaveLength(0);
  });

  test("of a browser that ends meanwhile is none, and nothing of it is kept", async () => {
    await takeWith(toPicture("last"));
    await rig.clock.pass(PICTURE_AGE_MS);
    const taking = pictures.take(browser, NEVER);
    await settled();
    await browser.close("requested");
    expect(await taking).toBeUndefined();
    expect(pictures.held).toBe(0);
    expect(await pictures.take(browser, NEVER)).toBeUndefined();
    expect(rig.log.lines.filter(({ event }) => event === "picture.failed")).toEqual([]);
  });

  test("goes on for the others when one of those who wait leaves", async () => {
    const leaver = new AbortController();
    const leaving = pictures.take(browser, leaver.signal);
    const staying = pictures.take(browser, NEVER);
    await settled();
    leaver.abort(new Error("gone"));
    await expect(leaving).rejects.toThrow("gone");
    const picture = toPicture("seen");
    shots[0]?.ends(picture);
    expect(await staying).toBe(picture);
    await expect(pictures.take(browser, leaver.signal)).rejects.toThrow("gone");
  });
});

describe("of many browsers,", () => {
  let others: OpenBrowser[];

  beforeEach(async () => {
    others = [await rig.open(account), await rig.open(account)];
  });

  test("only so many pictures are taken at once, and the next one has its turn after one of them", async () => {
    const taking = [browser, ...others].map((one) => pictures.take(one, NEVER));
    await settled();
    expect(shots).toHaveLength(PICTURES_AT_ONCE);
    shots[0]?.fails(new Error("It hangs."));
    await settled();
    expect(shots).toHaveLength(PICTURES_AT_ONCE + 1);
    for (const [at, { ends }] of shots.entries()) ends(toPicture(String(at)));
    expect(await Promise.all(taking)).toEqual([undefined, toPicture("1"), toPicture("2")]);
  });

  test("one that has waited too long for its turn goes without", async () => {
    const taking = [browser, ...others].map((one) => pictures.take(one, NEVER));
    await settled();
    await rig.clock.pass(5000);
    expect(await taking[2]).toBeUndefined();
    expect(shots).toHaveLength(PICTURES_AT_ONCE);
    for (const { ends } of shots) ends(toPicture("late"));
    await Promise.all(taking);
  });
});
