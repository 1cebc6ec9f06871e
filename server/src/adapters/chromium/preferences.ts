import type { BrowserSpec } from "../../ports/browser-host.ts";
import type { Sandbox } from "../../ports/sandboxes.ts";
import { type Size, toDimensions } from "./screen.ts";

/** Where a browser keeps what it has chosen, in its cell's folder. */
export const PROFILE_FOLDER = "profile";

/**
 * By how much a window is smaller than the screen before it is maximised, in pixels. Of the one pixel that Chromium itself
 * would leave, so as not to be taken for a full screen, its pages are not told when it goes.
 */
const MARGIN = 40;

/**
 * Writes what a graphical browser finds as its last choices: main windows without a frame of the window manager's, and
 * over the whole screen, whether the window manager is up by then or not. Sizes on the command line would be those of
 * pop-ups as well, whatever their pages ask for; where a client gives one, it goes before this.
 */
export async function writePreferences(
  cell: Sandbox,
  spec: Pick<BrowserSpec, "isHeadless" | "switches">,
  size: Size,
): Promise<void> {
  const { width, height } = toDimensions(spec, size).window;
  const screen = { work_area_left: 0, work_area_top: 0, work_area_right: width, work_area_bottom: height };
  const placement = { left: 0, top: 0, right: width - MARGIN, bottom: height - MARGIN, maximized: true, ...screen };
  const preferences = { browser: { custom_chrome_frame: true, window_placement: placement } };
  await cell.writeFile(`${PROFILE_FOLDER}/Default/Preferences`, JSON.stringify(preferences));
}
