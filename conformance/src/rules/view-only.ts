import { setTimeout as sleep } from "node:timers/promises";
import { expectThat } from "../run/expect.ts";
import { NotApplicable, Undecidable } from "../registry/violation.ts";
import { connectDevtools } from "../target/devtools.ts";
import { openPage, type Page } from "../target/pages.ts";
import type { Viewer } from "../target/rfb.ts";
import { type DesktopAccess, expectViewerAdmitted } from "./desktop-access.ts";

const ANSWER_MS = 2000;
const INPUT_MS = 10_000;
const POLL_MS = 200;
/** Pixels by which a viewer wants its screen smaller. */
const LESS = 64;

/** Remembers what is typed. */
const HTML = '<!doctype html><script>seen = ""; addEventListener("keydown", ({ key }) => (seen += key));</script>';
const PAGE = `data:text/html,${encodeURIComponent(HTML)}`;

/**
 * Has both passwords try what only the one for full use is allowed: to give the screen another size, and to type into a
 * page. Deployments may refuse the first to everybody, and the second needs real pages: one of them is enough.
 */
export async function expectViewOnly(
  address: string,
  { rfbUrl, password, viewPassword }: DesktopAccess,
): Promise<void> {
  await using watcher = await expectViewerAdmitted(rfbUrl, viewPassword, "`viewPassword`");
  await using user = await expectViewerAdmitted(rfbUrl, password, "`password`");
  const { width, height } = user.screen;
  const watched = await watcher.resize(width - LESS, height - LESS, ANSWER_MS);
  expectThat(watched !== "granted", "`viewPassword` to change nothing", "that it gives the screen another size");
  const used = await user.resize(width - LESS, height - LESS, ANSWER_MS);
  // Where both are refused that is all there is to see; but who may only watch is never heard where the other is not.
  const isLess = watched !== undefined && used === undefined;
  expectThat(!isLess, "`password` to be heard wherever `viewPassword` is", "that it alone is not answered");
  try {
    await expectNoInput(address, watcher, user);
  } catch (error) {
    // That one was granted what the other was not is enough to tell.
    const isTold = used === "granted" && (error instanceof NotApplicable || error instanceof Undecidable);
    if (!isTold) throw error;
  }
}

/** @throws {NotApplicable} Without real pages. */
async function expectNoInput(address: string, watcher: Viewer, user: Viewer): Promise<void> {
  await using devtools = await connectDevtools(address);
  const page = await openPage(devtools, PAGE);
  await until(page, "document.visibilityState === 'visible' && typeof seen === 'string'");
  const { width, height } = user.screen;
  user.click(Math.round(width / 2), Math.round(height / 2));
  user.type("b");
  if (!(await until(page, "seen.includes('b')"))) {
    throw new NotApplicable(
      "No key of a viewer with `password` arrived in a page, so there is nothing to compare with.",
    );
  }
  watcher.type("aaa");
  // What the one who may does later arrives later, too: by then the other's would have.
  await sleep(POLL_MS);
  user.type("c");
  await until(page, "seen.includes('c')");
  const isHeard = (await page.evaluate("seen.includes('a')")) === true;
  expectThat(!isHeard, "`viewPassword` to change nothing", "the keys of its viewer in a page");
}

async function until(page: Page, expression: string): Promise<boolean> {
  for (const deadline = Date.now() + INPUT_MS; Date.now() < deadline; await sleep(POLL_MS)) {
    if ((await page.evaluate(expression)) === true) return true;
  }
  return false;
}
