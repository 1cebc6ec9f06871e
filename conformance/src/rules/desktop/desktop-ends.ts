import { START, STOP, schema } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import { expectSuccess, expectThat } from "../../session/expect.ts";
import type { Viewer } from "../../target/rfb.ts";
import {
  type DesktopAccess,
  CUT_MS,
  expectViewerAdmitted,
  expectViewerRefused,
  sharePassword,
  start,
  connectBriefly,
} from "../../scenario/desktop-access.ts";

const GRAPHICAL = { Headless: false };

/** Rules about what remains of a desktop after Stop or Close. */
export const DESKTOP_END_RULES = scenarios({ capability: "desktop" }, [
  {
    id: "RBS-DESKTOP-06",
    at: `${START}/description`,
    sentence: "Both change each time the desktop starts, and no two desktops share one.",
    async check({ main, leaseBrowser }) {
      await using lease = await leaseBrowser();
      const { address } = lease;
      const old = await start(main, address);
      expectSuccess(await main.stopDesktop(address));
      const access = await start(main, address);
      const { rfbUrl, password } = access;
      expectThat(!sharePassword(access, old), "new passwords on the second start", "a password from the first start");
      for (const each of [old.password, old.viewPassword]) {
        await expectViewerRefused(rfbUrl, each, "the passwords from an earlier start to be rejected");
      }
      await using _ = await expectViewerAdmitted(rfbUrl, password, "the `password` from the second start");
    },
  },
  {
    id: "RBS-DESKTOP-07",
    at: `${STOP}/description`,
    sentence: "Its viewers are disconnected and both passwords stop working",
    async check({ main, leaseBrowser }) {
      await using lease = await leaseBrowser();
      const { address } = lease;
      await using viewers = await connectBothViewers(await start(main, address));
      expectSuccess(await main.stopDesktop(address));
      await viewers.expectDisconnected("Stop");
    },
  },
  {
    id: "RBS-DESKTOP-12",
    at: `${START}/description`,
    sentence: "A desktop stops when its browser closes, and its viewers are disconnected.",
    opens: 1,
    async check({ main }) {
      const address = await main.openBrowser(GRAPHICAL);
      const access = await start(main, address);
      await using viewers = await connectBothViewers(access);
      expectSuccess(await main.close(address));
      await viewers.expectDisconnected("Close");
      await expectViewerRefused(access.rfbUrl, access.password, "rfbUrl to reject viewers after Close");
    },
  },
  {
    id: "RBS-DESKTOP-14",
    at: schema("StartRemoteDesktopResult", "rfbUrl"),
    sentence: "It refuses any other password, and every password once the desktop has stopped.",
    async check({ main, leaseBrowser }) {
      await using lease = await leaseBrowser();
      const { address } = lease;
      const access = await start(main, address);
      const { rfbUrl, password, viewPassword } = access;
      await connectBriefly(access);
      expectSuccess(await main.stopDesktop(address));
      for (const each of [password, viewPassword]) {
        await expectViewerRefused(rfbUrl, each, "rfbUrl to reject viewers after Stop");
      }
    },
  },
]);

type Both = AsyncDisposable & { expectDisconnected(by: string): Promise<void> };

/** Connects a full-access viewer and a view-only viewer. */
async function connectBothViewers({ rfbUrl, password, viewPassword }: DesktopAccess): Promise<Both> {
  await using entered = new AsyncDisposableStack();
  const viewers: Viewer[] = [];
  viewers.push(entered.use(await expectViewerAdmitted(rfbUrl, password, "`password`")));
  viewers.push(entered.use(await expectViewerAdmitted(rfbUrl, viewPassword, "`viewPassword`")));
  const held = entered.move();
  return {
    async expectDisconnected(by) {
      const ends = await Promise.all(viewers.map((viewer) => viewer.closing(CUT_MS)));
      const isCut = ends.every((end) => end !== undefined);
      expectThat(isCut, `viewers to be disconnected within ${CUT_MS / 1000} s of ${by}`, "a viewer still connected");
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}
