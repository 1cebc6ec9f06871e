import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Bench, Row } from "../../bench.ts";
import { Viewer } from "../../desktop/viewer.ts";
import { attachToPage, evaluate } from "../../devtools/page.ts";
import { ROUNDS, interleave } from "../../measure/interleave.ts";
import { medianOf } from "../../measure/statistics.ts";
import { timeEachMs } from "../../measure/time.ts";
import { toDifference } from "../../report/comparison.ts";
import type { Figure } from "../../report/figure.ts";
import { ms } from "../../report/units.ts";
import { type OpenBrowser, openBrowser } from "../../subjects/browsers/open-browser.ts";
import type { Server } from "../../subjects/processes/server.ts";

const MAX_PICTURE_MS = 400;
const MAX_KEY_MS = 100;
/** A round's value is the median of this many key presses. */
const KEYS = 20;
const KEY = "a".charCodeAt(0);
const SIZE = "1920×1080";
/** A point on the page, outside the browser's toolbars. */
const [X, Y] = [900, 700];

/** Repaints the whole page in another colour on every key and mouse press. */
const CHANGE_COLOUR = `
  let keys = 0;
  const paint = () => { document.documentElement.style.background = ["#3264c8", "#c83264"][keys++ % 2] };
  addEventListener("keydown", paint);
  addEventListener("mousedown", paint);
  paint();
  keys`;

/** A server and its only browser, which shows a page. */
type Shown = { readonly server: Server; readonly browser: OpenBrowser };

/** How the viewer connects: through the service, or directly to the same screen. */
type Target = "service" | "screen";

export const desktop: Row = {
  name: "desktop",
  async measure(bench: Bench) {
    await using server = await bench.newServer({});
    await using browser = await openBrowser(server, {});
    await evaluate(browser.client, await attachToPage(browser.client), CHANGE_COLOUR);
    const shown = { server, browser };
    const measure = async (name: string, time: typeof timePictureMs, max: number): Promise<Figure> => {
      const sides = { base: () => time(shown, "screen"), ours: () => time(shown, "service") };
      const about = { name: `desktop, ${SIZE}: ${name}`, unit: ms, baseline: "Xvnc's own socket", max };
      return toDifference(about, await interleave(sides, ROUNDS, bench.report));
    };
    return [
      await measure("StartRemoteDesktop → first picture", timePictureMs, MAX_PICTURE_MS),
      await measure("key press → changed pixels", timeKeysMs, MAX_KEY_MS),
    ];
  },
};

/** Timing starts with the StartRemoteDesktop request or, for direct connections to the screen, with the connection. */
async function timePictureMs({ server, browser }: Shown, target: Target): Promise<number> {
  const requestedMs = performance.now();
  const { rfbUrl, password } = await server.startDesktop(browser.address);
  const startedMs = target === "service" ? requestedMs : performance.now();
  using viewer = await view(server, target, rfbUrl, password);
  await viewer.readScreen(X, Y);
  const tookMs = performance.now() - startedMs;
  if (viewer.size !== SIZE) throw new Error(`The screen has an unexpected size: ${viewer.size}.`);
  await server.stopDesktop(browser.address);
  return tookMs;
}

async function timeKeysMs({ server, browser }: Shown, target: Target): Promise<number> {
  const { rfbUrl, password } = await server.startDesktop(browser.address);
  using viewer = await view(server, target, rfbUrl, password);
  // The address bar has focus until the user clicks on the page.
  let colour = await viewer.click(X, Y, await viewer.readScreen(X, Y));
  const press = async (): Promise<void> => {
    colour = await viewer.press(KEY, X, Y, colour);
  };
  const times = await timeEachMs(press, { turns: KEYS });
  await server.stopDesktop(browser.address);
  return medianOf(times);
}

function view(server: Server, target: Target, rfbUrl: string, password: string): Promise<Viewer> {
  if (target === "service") return Viewer.open(rfbUrl, password);
  const homes = readdirSync(server.sandboxes).map((each) => join(server.sandboxes, each, "home"));
  const [home, ...others] = homes.filter((each) => isUsed(each));
  if (home === undefined || others.length > 0) throw new Error("The server must have exactly one browser.");
  return Viewer.openDirectly(join(home, "rfb.sock"), password);
}

/** Whether Chromium has written to its profile, which initially contains only preferences. */
function isUsed(home: string): boolean {
  const profile = join(home, "profile");
  return existsSync(profile) && readdirSync(profile).some((name) => name !== "Default");
}
