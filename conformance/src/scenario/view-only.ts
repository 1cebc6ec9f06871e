import { setTimeout as sleep } from "node:timers/promises";
import { expectThat } from "../session/expect.ts";
import { NotApplicable, Undecidable } from "../target/violation.ts";
import { connectDevtools } from "../target/devtools.ts";
import { openPage, type Page } from "../target/pages.ts";
import type { Viewer } from "../target/rfb.ts";
import { type DesktopAccess, expectViewerAdmitted } from "./desktop-access.ts";

const ANSWER_MS = 2000;
const INPUT_MS = 10_000;
const POLL_MS = 200;
/** Number of pixels by which the viewers try to shrink the screen. */
const LESS = 64;

/** Records typed keys. */
const HTML = '<!doctype html><script>seen = ""; addEventListener("keydown", ({ key }) => (seen += key));</script>';
const PAGE = `data:text/html,${encodeURIComponent(HTML)}`;

/**
 * Tries to resize the screen and type into a page, once with both passwords. `viewPassword` must change nothing. One
 * test is sufficient: a deployment may reject resizing for all viewers, and typing needs real pages.
 */
export async function expectViewOnly(
  address: string,
  { rfbUrl, password, viewPassword }: DesktopAccess,
): Promise<void> {
  await using watcher = await expectViewerAdmitted(rfbUrl, viewPassword, "`viewPassword`");
  await using user = await expectViewerAdmitted(rfbUrl, password, "`password`");
  const { width, height } = user.screen;
  const watched = await watcher.resize(width - LESS, height - LESS, ANSWER_MS);
  expectThat(watched !== "granted", "`viewPassword` to change nothing", "a screen resized with `viewPassword`");
  const used = await user.resize(width - LESS, height - LESS, ANSWER_MS);
  // If both resizes fail, the test is inconclusive. It's a violation if only `viewPassword` gets a response.
  const isLess = watched !== undefined && used === undefined;
  expectThat(!isLess, "`password` to get a response if `viewPassword` gets one", "no answer");
  try {
    await expectNoInput(address, watcher, user);
  } catch (error) {
    // If the typing test can't run, a granted resize is sufficient.
    const isTold = used === "granted" && (error instanceof NotApplicable || error instanceof Undecidable);
    if (!isTold) throw error;
  }
}

/** @throws {NotApplicable} If the deployment has no real pages. */
async function expectNoInput(address: string, watcher: Viewer, user: Viewer): Promise<void> {
  await using devtools = await connectDevtools(address);
  const page = await openPage(devtools, PAGE);
  await until(page, "document.visibilityState === 'visible' && typeof seen === 'string'");
  const { width, height } = user.screen;
  user.click(Math.round(width / 2), Math.round(height / 2));
  user.type("b");
  if (!(await until(page, "seen.includes('b')"))) {
    throw new NotApplicable(
      "Keys typed by a viewer with `password` did not reach a page, so the typing test has no baseline.",
    );
  }
  watcher.type("aaa");
  // These keys, if accepted, would arrive before the other viewer's later key.
  await sleep(POLL_MS);
  user.type("c");
  await until(page, "seen.includes('c')");
  const isHeard = (await page.evaluate("seen.includes('a')")) === true;
  expectThat(!isHeard, "`viewPassword` to change nothing", "keys typed with `viewPassword` in a page");
}

async function until(page: Page, expression: string): Promise<boolean> {
  for (const deadline = Date.now() + INPUT_MS; Date.now() < deadline; await sleep(POLL_MS)) {
    if ((await page.evaluate(expression)) === true) return true;
  }
  return false;
}
