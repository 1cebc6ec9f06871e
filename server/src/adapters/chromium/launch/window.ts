import type { Size } from "../../../domain/browser/screen.ts";
import type { BrowserSpec } from "../../../ports/browser-host.ts";
import type { Sandbox } from "../../../ports/sandboxes.ts";
import { valueOf } from "./switch-of.ts";

type Dimensions = {
  /** In CSS pixels. */
  readonly window: Size;
  /** In device pixels. */
  readonly screen: Size;
};

/** The browser's profile, relative to the sandbox's folder. */
export const PROFILE_FOLDER = "profile";

/**
 * Computes the sizes of the window and the screen. By default, the window is as large as the screen. A real screen
 * limits the window; a headless browser's screen grows with the window.
 * @param size The display's size in device pixels. Headless browsers report a screen of this size.
 */
export function toDimensions(
  { isHeadless, switches }: Pick<BrowserSpec, "isHeadless" | "switches">,
  size: Size,
): Dimensions {
  const scale = Number(valueOf(switches, "--force-device-scale-factor") ?? 1);
  const requested = readSize(valueOf(switches, "--window-size"));
  if (isHeadless) {
    const window = requested ?? size;
    return { window, screen: map(combine(size, window, Math.max), (length) => Math.round(length * scale)) };
  }
  const largest = map(size, (length) => Math.floor(length / scale));
  return { window: combine(requested ?? largest, largest, Math.min), screen: size };
}

/**
 * Writes a graphical browser's preferences, so that main windows fill the screen even before the window manager runs.
 * Preferences are used because a size on the command line would also apply to pop-ups. A size set by a client takes
 * precedence. Chromium's own frame is disabled, because it would shrink windows that aren't maximized.
 */
export async function writePreferences(
  sandbox: Pick<Sandbox, "writeFile">,
  spec: Pick<BrowserSpec, "isHeadless" | "switches">,
  size: Size,
): Promise<void> {
  const { width, height } = toDimensions(spec, size).window;
  const screen = { work_area_left: 0, work_area_top: 0, work_area_right: width, work_area_bottom: height };
  const placement = { left: 0, top: 0, right: width, bottom: height, maximized: false, ...screen };
  const preferences = {
    browser: { custom_chrome_frame: false, window_placement: placement },
    // A page that prints would wait for a system dialog. Clients can still create PDFs.
    printing: { enabled: false },
  };
  await sandbox.writeFile(`${PROFILE_FOLDER}/Default/Preferences`, JSON.stringify(preferences));
}

function readSize(text: string | undefined): Size | undefined {
  const [width, height] = text?.split(",").map(Number) ?? [];
  return width === undefined || height === undefined ? undefined : { width, height };
}

function combine(one: Size, other: Size, pick: (one: number, other: number) => number): Size {
  return { width: pick(one.width, other.width), height: pick(one.height, other.height) };
}

function map({ width, height }: Size, change: (length: number) => number): Size {
  return { width: change(width), height: change(height) };
}
