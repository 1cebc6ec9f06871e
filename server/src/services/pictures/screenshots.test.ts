import { afterEach, beforeEach, expect, test } from "vitest";
import { settled } from "../../../test/fakes/fake-clock.ts";
import { type Capture, type CaptureRig, newCaptureRig } from "../../../test/support/browsers/capture-rig.ts";
import type { Rig } from "../../../test/support/servers/services-rig.ts";
import type { Semaphore } from "../../concurrency/semaphore.ts";
import { Failure } from "../../domain/failure.ts";
import type { Picture } from "../../ports/display.ts";
import { CAPTURES_AT_ONCE, newCapturePermits } from "./capture-permits.ts";
import type { OpenBrowser } from "../browsers/open-browser.ts";
import { Screenshots } from "./screenshots.ts";

const NEVER = new AbortController().signal;
const PICTURE: Picture = { type: "image/png", bytes: Buffer.from("picture") };

let made: CaptureRig;
let rig: Rig;
let permits: Semaphore;
let screenshots: Screenshots;
let captures: readonly Capture[];
let browser: OpenBrowser;

beforeEach(async () => {
  made = await newCaptureRig("takeScreenshot");
  ({ rig, browser, captures } = made);
  permits = newCapturePermits(rig.clock);
  screenshots = new Screenshots({ permits, log: rig.log });
});

afterEach(async () => {
  await made.closeBrowsers();
  expectNothingHeld();
  await rig[Symbol.asyncDispose]();
});

function expectNothingHeld(): void {
  expect({ captures: screenshots.held, permits: permits.held, waiting: permits.waiting }).toEqual({
    captures: 0,
    permits: 0,
    waiting: 0,
  });
}

/** Returns the error that a caller receives instead of a picture. */
function errorOf(taking: Promise<Picture>): Promise<unknown> {
  return taking.then(
    () => undefined,
    (error: unknown) => error,
  );
}

test("concurrent callers share a picture, and the next caller receives a new picture", async () => {
  const taking = [screenshots.take(browser, NEVER), screenshots.take(browser, NEVER)];
  await settled();
  expect(captures).toHaveLength(1);
  captures[0]?.ends(PICTURE);
  expect(await Promise.all(taking)).toEqual([PICTURE, PICTURE]);
  const next = screenshots.take(browser, NEVER);
  await settled();
  expect(captures).toHaveLength(2);
  captures[1]?.ends(PICTURE);
  await next;
});

test("a caller that disconnects doesn't affect other callers, and the capture ends when the last caller disconnects", async () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const taking = Promise.allSettled([
    screenshots.take(browser, first.signal),
    screenshots.take(browser, second.signal),
  ]);
  await settled();
  first.abort(new Error("first left"));
  await settled();
  expect(captures[0]?.signal.aborted).toBe(false);
  second.abort(new Error("second left"));
  expect((await taking).map((each) => each.status === "rejected" && String(each.reason))).toEqual([
    "Error: first left",
    "Error: second left",
  ]);
  expect(captures[0]?.signal.aborted).toBe(true);
});

test("a capture ends when its browser ends", async () => {
  const taking = errorOf(screenshots.take(browser, NEVER));
  await settled();
  await browser.close("requested");
  expect(await taking).toMatchObject({ message: "The browser has ended." });
  expect(captures[0]?.signal.aborted).toBe(true);
});

test("a failed capture is reported as BrowserUnavailable, and its cause is logged", async () => {
  const cause = new Error("It hangs.");
  const taking = errorOf(screenshots.take(browser, NEVER));
  await settled();
  captures[0]?.fails(cause);
  expect(await taking).toMatchObject({
    failure: "BrowserUnavailable",
    retryAfterS: 5,
    cause,
  });
  expect(rig.log.lines.at(-1)).toMatchObject({ event: "picture.failed", facts: { id: browser.id, error: cause } });
});

test("the failure of a browser without pages is passed on to the caller", async () => {
  const refusal = new Failure("BrowserUnavailable", "It shows nothing.");
  const taking = errorOf(screenshots.take(browser, NEVER));
  await settled();
  captures[0]?.fails(refusal);
  expect(await taking).toBe(refusal);
});

test("captures wait for permits, and are refused after several seconds", async () => {
  const held = await Promise.all(Array.from({ length: CAPTURES_AT_ONCE }, () => permits.acquire()));
  const taking = errorOf(screenshots.take(browser, NEVER));
  await settled();
  expect(captures).toEqual([]);
  await rig.clock.pass(5000);
  expect(await taking).toMatchObject({
    failure: "BrowserUnavailable",
    message: expect.stringContaining("Too many pictures"),
  });
  for (const permit of held) permit[Symbol.dispose]();
});
