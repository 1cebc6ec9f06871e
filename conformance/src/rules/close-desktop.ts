import { CLOSE } from "../registry/pointers.ts";
import type { ScenarioRule } from "../registry/rule.ts";
import { expectRefusal, expectSuccess } from "../run/expect.ts";
import { expectViewerRefused, start, connectBriefly } from "./desktop-access.ts";

/** What Close does to the browser's desktop. */
export const CLOSE_DESKTOP_RULES: readonly ScenarioRule[] = [
  {
    kind: "scenario",
    id: "RBS-CLOSE-08",
    level: "decision",
    capability: "desktop",
    at: `${CLOSE}/description`,
    sentence: "its remote desktop stops",
    opens: 1,
    async check({ main }) {
      const address = await main.openBrowser({ Headless: false });
      const access = await start(main, address);
      await connectBriefly(access);
      // Nobody is looking, so there is nobody whose leaving could stop it.
      expectSuccess(await main.close(address));
      await expectViewerRefused(access.rfbUrl, access.password, "the desktop of a closed browser to let nobody in");
      expectRefusal(await main.startDesktop(address), "BrowserNotFound");
    },
  },
];
