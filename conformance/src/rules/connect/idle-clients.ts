import { INFO, STOP } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import { expectStays } from "../../scenario/connections.ts";
import type { Run } from "../../session/run.ts";
import type { Viewer } from "../../target/rfb.ts";
import { expectViewerAdmitted, start } from "../../scenario/desktop-access.ts";
import {
  type IdleBrowser,
  connectWhileOpen,
  expectGoneAfter,
  expectOpenFor,
  expectOpenNow,
  disconnect,
  openIdle,
} from "../../scenario/inactivity.ts";

/** The inactivity period of browsers with clients, long enough to connect even if responses take a second. */
const KEEP_OPEN_S = 2;
/** How long clients stay connected. Without a client, the browser would close sooner. */
const HOLD_MS = 4500;

/** Rules about which connections keep a browser open, and when its inactivity period restarts. */
export const IDLE_CLIENT_RULES = scenarios({ capability: "idle", at: INFO, opens: 1 }, [
  {
    id: "RBS-IDLE-03",
    sentence: "A live connection keeps the browser open, even if it is idle.",
    waitsS: 5,
    async check(run) {
      const browser = await openIdle(run, KEEP_OPEN_S);
      await using client = await connectWhileOpen(browser);
      await expectStays(client, HOLD_MS, "an idle client's connection");
      await expectOpenNow(run, browser, "while a client is connected");
    },
  },
  {
    id: "RBS-IDLE-04",
    sentence: "starts again whenever the last client or viewer disconnects",
    waitsS: 9,
    async check(run) {
      const browser = await openIdle(run, 3);
      // The time before the client connects must not count towards the period that starts when the client disconnects.
      await run.sleep(1000);
      const client = await connectWhileOpen(browser);
      await expectStays(client, 3300, "an idle client's connection");
      const left = await disconnect(client);
      await expectOpenFor(run, browser, left, "KeepOpen 3 to keep a browser open for 3 s after its client disconnects");
      await expectGoneAfter(run, browser, left, "a browser with KeepOpen 3 to close after its client disconnects");
    },
  },
  {
    id: "RBS-IDLE-10",
    sentence: "starts again whenever the last client or viewer disconnects",
    waitsS: 5,
    async check(run) {
      const browser = await openIdle(run, KEEP_OPEN_S);
      await using stays = await connectWhileOpen(browser);
      await disconnect(await connectWhileOpen(browser));
      await expectStays(stays, HOLD_MS, "the other client's connection");
      await expectOpenNow(run, browser, "while one of its two clients is still connected");
    },
  },
  {
    id: "RBS-IDLE-05",
    capability: "desktop",
    sentence: "A browser is *inactive* while no DevTools client and no viewer of its remote desktop is connected.",
    waitsS: 8,
    async check(run) {
      const { browser, viewer } = await openViewed(run);
      await expectStays(viewer, HOLD_MS, "a viewer's connection");
      await expectOpenNow(run, browser, "while a viewer is connected");
      const left = await disconnect(viewer);
      await expectOpenFor(run, browser, left, "KeepOpen 2 to keep a browser open for 2 s after its viewer disconnects");
      await expectGoneAfter(run, browser, left, "a browser with KeepOpen 2 to close after its viewer disconnects");
    },
  },
  {
    id: "RBS-IDLE-12",
    capability: "desktop",
    at: `${STOP}/description`,
    sentence: "its inactivity period begins if no DevTools client is connected",
    waitsS: 6,
    async check(run) {
      const { browser, viewer } = await openViewed(run);
      await using _ = viewer;
      // If the period had started before Stop, the browser would have closed by now.
      await run.sleep(2500);
      const { startedAt: from, endedAt: to } = await run.main.stopDesktop(browser.address);
      await expectOpenFor(run, browser, { from, to }, "a browser with KeepOpen 2 to stay open for 2 s after Stop");
      await expectGoneAfter(run, browser, { from, to }, "a browser with KeepOpen 2 to close after Stop");
    },
  },
]);

/** Opens a browser to which only a viewer is connected. */
async function openViewed(run: Run): Promise<{ readonly browser: IdleBrowser; readonly viewer: Viewer }> {
  const browser = await openIdle(run, KEEP_OPEN_S, { Headless: false });
  // Keeps the browser open while the viewer connects, which may take longer than the inactivity period.
  await using _ = await connectWhileOpen(browser);
  const { rfbUrl, password } = await start(run.main, browser.address);
  return { browser, viewer: await expectViewerAdmitted(rfbUrl, password, "`password`") };
}
