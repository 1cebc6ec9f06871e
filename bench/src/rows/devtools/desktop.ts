import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type Bench, ROUNDS, type Row } from "../../bench.ts";
import { Viewer } from "../../desktop/viewer.ts";
import { attachToPage, evaluate } from "../../devtools/page.ts";
import { interleave } from "../../measure/interleave.ts";
import { differences, medianOf, spreadOf } from "../../measure/statistics.ts";
import { ms, signed, toText } from "../../report/units.ts";
import { type OpenBrowser, openBrowser } from "../../subjects/browsers/open-browser.ts";
import type { Server } from "../../subjects/processes/server.ts";

const MAX_PICTURE_MS = 400;
const MAX_KEY_MS = 100;
/** A round takes the median of this many keys. */
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

/** The only browser of a server, with a page on its screen. */
type Shown = { readonly server: Server; readonly browser: OpenBrowser };

/** Through the service, or directly to the same screen. */
type Target = "service" | "screen";

export const desktop: Row = {
  name: "desktop",
  async measure(bench: Bench) {
    await using server = await bench.newServer({});
    await using browser = await openBrowser(server, {});
    await evaluate(browser.client, await attachToPage(browser.client), CHANGE_COLOUR);
    const shown = { server, browser };
    const pictures = await interleave(
      { screen: () => timePictureMs(shown, "screen"), service: () => timePictureMs(shown, "service") },
      ROUNDS,
      bench.report,
    );
    const keys = await interleave(
      { screen: () => timeKeysMs(shown, "screen"), service: () => timeKeysMs(shown, "service") },
      ROUNDS,
      bench.report,
    );
    const figure = (name: string, measured: Readonly<Record<Target, number[]>>, maxMs: number) => ({
      name,
      ours: ms(medianOf(measured.service)),
      baseline: `Xvnc's own socket ${ms(medianOf(measured.screen))}`,
      compared: toText(spreadOf(differences(measured.service, measured.screen)), signed(ms)),
      target: `≤ ${maxMs} ms`,
      isMet: medianOf(measured.service) <= maxMs,
    });
    return [
      figure(`desktop, ${SIZE}: StartRemoteDesktop → first picture`, pictures, MAX_PICTURE_MS),
      figure(`desktop, ${SIZE}: key → changed pixels`, keys, MAX_KEY_MS),
    ];
  },
};

/** Starts the clock at the request that starts the desktop; directly to the screen, at the connection. */
async function timePictureMs({ server, browser }: Shown, target: Target): Promise<number> {
  const requestedMs = performance.now();
  const { rfbUrl, password } = await server.startDesktop(browser.address);
  const startedMs = target === "service" ? requestedMs : performance.now();
  using viewer = await view(server, target, rfbUrl, password);
  await viewer.readScreen(X, Y);
  const tookMs = performance.now() - startedMs;
  if (viewer.size !== SIZE) throw new Error(`The screen is ${viewer.size}.`);
  await server.stopDesktop(browser.address);
  return tookMs;
}

async function timeKeysMs({ server, browser }: Shown, target: Target): Promise<number> {
  const { rfbUrl, password } = await server.startDesktop(browser.address);
  using viewer = await view(server, target, rfbUrl, password);
  // Keys go to the address bar until the page has received a click.
  let colour = await viewer.click(X, Y, await viewer.readScreen(X, Y));
  const times: number[] = [];
  for (let index = 0; index < KEYS; index += 1) {
    const pressedMs = performance.now();
    colour = await viewer.press(KEY, X, Y, colour);
    times.push(performance.now() - pressedMs);
  }
  await server.stopDesktop(browser.address);
  return medianOf(times);
}

function view(server: Server, target: Target, rfbUrl: string, password: string): Promise<Viewer> {
  if (target === "service") return Viewer.open(rfbUrl, password);
  const homes = readdirSync(server.sandboxes).map((each) => join(server.sandboxes, each, "home"));
  const [home, ...others] = homes.filter((each) => isUsed(each));
  if (home === undefined || others.length > 0) throw new Error("The server should have one browser.");
  return Viewer.openDirectly(join(home, "rfb.sock"), password);
}

/** Whether Chromium has written to its profile: in a prepared sandbox there are only preferences. */
function isUsed(home: string): boolean {
  const profile = join(home, "profile");
  return existsSync(profile) && readdirSync(profile).some((name) => name !== "Default");
}
