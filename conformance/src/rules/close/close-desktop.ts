import { CLOSE } from "../../registry/pointers.ts";
import type { ScenarioRule } from "../../registry/rule.ts";
import { expectRefusal, expectSuccess } from "../../run/expect.ts";
import { expectViewerRefused, start, connectBriefly } from "../../scenario/desktop-access.ts";

/** How Close affects the browser's desktop. */
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
      // Disconnect the viewer first, because its leaving must not be what stops the desktop.
      expectSuccess(await main.close(address));
      await expectViewerRefused(access.rfbUrl, access.password, "the desktop of a closed browser to refuse viewers");
      expectRefusal(await main.startDesktop(address), "BrowserNotFound");
    },
  },
];
