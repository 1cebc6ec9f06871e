import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { settled } from "../../../test/fakes/fake-clock.ts";
import { type Capture, type CaptureRig, newCaptureRig } from "../../../test/support/browsers/capture-rig.ts";
import type { Rig } from "../../../test/support/servers/services-rig.ts";
import type { Account } from "../../domain/account/account.ts";
import type { Thumbnail } from "../../ports/display.ts";
import type { OpenBrowser } from "../browsers/open-browser.ts";
import { CAPTURES_AT_ONCE, newCapturePermits } from "./capture-permits.ts";
import { THUMBNAIL_AGE_MS, Thumbnails } from "./thumbnails.ts";

const NEVER = new AbortController().signal;

let made: CaptureRig;
let rig: Rig;
let account: Account;
let thumbnails: Thumbnails;
let captures: readonly Capture[];
let browser: OpenBrowser;

beforeEach(async () => {
  made = await newCaptureRig("takeThumbnail");
  ({ rig, account, browser, captures } = made);
  thumbnails = new Thumbnails({ clock: rig.clock, log: rig.log, permits: newCapturePermits(rig.clock) });
});

afterEach(async () => {
  await made.closeBrowsers();
  expectNothingHeld();
  await rig[Symbol.asyncDispose]();
});

/** Checks that no thumbnails are kept and all captures were canceled or have ended. */
function expectNothingHeld(): void {
  expect(thumbnails.held).toBe(0);
  for (const { signal } of captures) expect(signal.aborted).toBe(true);
}

const toThumbnail = (name: string): Thumbnail => ({ type: "image/png", bytes: Buffer.from(name) });

/** Takes a thumbnail with a capture that produces this outcome. */
async function takeWith(outcome: Thumbnail | Error): Promise<Thumbnail | undefined> {
  const before = captures.length;
  const taking = thumbnails.take(browser, NEVER);
  await settled();
  expect(captures).toHaveLength(before + 1);
  if (outcome instanceof Error) captures.at(-1)?.fails(outcome);
  else captures.at(-1)?.ends(outcome);
  return taking;
}

describe("a thumbnail", () => {
  test("is captured once for concurrent callers, and kept until it is out of date", async () => {
    const first = toThumbnail("first");
    const takes = [thumbnails.take(browser, NEVER), thumbnails.take(browser, NEVER)];
    await settled();
    expect(captures).toHaveLength(1);
    captures[0]?.ends(first);
    expect(await Promise.all(takes)).toMatchObject([first, first]);
    await rig.clock.pass(THUMBNAIL_AGE_MS - 1);
    expect(await thumbnails.take(browser, NEVER)).toMatchObject(first);
    expect(captures).toHaveLength(1);
    await rig.clock.pass(1);
    const second = toThumbnail("second");
    expect(await takeWith(second)).toMatchObject(second);
  });

  test("falls back to the last thumbnail when a capture fails, and is retried after increasing delays", async () => {
    const last = toThumbnail("last");
    await takeWith(last);
    await rig.clock.pass(THUMBNAIL_AGE_MS);
    expect(await takeWith(new Error("It hangs."))).toMatchObject({
      ...last,
      takenAt: new Date(rig.clock.now().getTime() - THUMBNAIL_AGE_MS),
    });
    expect(rig.log.lines.at(-1)).toMatchObject({ event: "picture.failed", facts: { id: browser.id, failures: 1 } });
    await rig.clock.pass(2 * THUMBNAIL_AGE_MS - 1);
    expect(await thumbnails.take(browser, NEVER)).toMatchObject(last);
    expect(captures).toHaveLength(2);
    await rig.clock.pass(1);
    const next = toThumbnail("next");
    expect(await takeWith(next)).toMatchObject(next);
    await rig.clock.pass(THUMBNAIL_AGE_MS);
    await takeWith(next);
  });

  test("is undefined if it was never captured", async () => {
    expect(await takeWith(new Error("It hangs."))).toBeUndefined();
  });

  test("doesn't count as activity: the browser closes after its inactivity period", async () => {
    for (let second = 0; second < 59; second += 1) {
      await rig.clock.pass(1000);
      void thumbnails.take(browser, NEVER);
      await settled();
      captures.at(-1)?.ends(toThumbnail(`second ${second}`));
    }
    expect(rig.localBrowsers.list(account)).toHaveLength(1);
    await rig.clock.pass(1000);
    expect(rig.localBrowsers.list(account)).toHaveLength(0);
  });

  test("is undefined, and isn't kept, if the browser ends during the capture", async () => {
    await takeWith(toThumbnail("last"));
    await rig.clock.pass(THUMBNAIL_AGE_MS);
    const taking = thumbnails.take(browser, NEVER);
    await settled();
    await browser.close("requested");
    expect(await taking).toBeUndefined();
    expect(thumbnails.held).toBe(0);
    expect(await thumbnails.take(browser, NEVER)).toBeUndefined();
    expect(rig.log.lines.filter(({ event }) => event === "picture.failed")).toEqual([]);
  });

  test("is still captured for the remaining callers when one caller disconnects", async () => {
    const leaver = new AbortController();
    const leaving = thumbnails.take(browser, leaver.signal);
    const staying = thumbnails.take(browser, NEVER);
    await settled();
    leaver.abort(new Error("gone"));
    await expect(leaving).rejects.toThrow("gone");
    const thumbnail = toThumbnail("seen");
    captures[0]?.ends(thumbnail);
    expect(await staying).toMatchObject(thumbnail);
    await expect(thumbnails.take(browser, leaver.signal)).rejects.toThrow("gone");
  });
});

describe("with many browsers,", () => {
  let others: OpenBrowser[];

  beforeEach(async () => {
    others = [await rig.open(account), await rig.open(account)];
  });

  test("the number of simultaneous captures is limited, and the next capture starts when one ends", async () => {
    const taking = [browser, ...others].map((one) => thumbnails.take(one, NEVER));
    await settled();
    expect(captures).toHaveLength(CAPTURES_AT_ONCE);
    captures[0]?.fails(new Error("It hangs."));
    await settled();
    expect(captures).toHaveLength(CAPTURES_AT_ONCE + 1);
    for (const [at, { ends }] of captures.entries()) ends(toThumbnail(String(at)));
    expect(await Promise.all(taking)).toMatchObject([undefined, toThumbnail("1"), toThumbnail("2")]);
  });

  test("a capture that waits too long for its turn is skipped", async () => {
    const taking = [browser, ...others].map((one) => thumbnails.take(one, NEVER));
    await settled();
    await rig.clock.pass(5000);
    expect(await taking[2]).toBeUndefined();
    expect(captures).toHaveLength(CAPTURES_AT_ONCE);
    for (const { ends } of captures) ends(toThumbnail("late"));
    await Promise.all(taking);
  });
});
