import { DEVTOOLS_PATH } from "../domain/browser/address.ts";
import { DESKTOP_PATH } from "../domain/browser/desktop.ts";
import { renderUpgradeRefusal } from "../gateway/upgrade/refusal.ts";
import type { ServiceApp } from "./app.ts";

const MESSAGES = {
  [`${DEVTOOLS_PATH}:key`]:
    "This address accepts WebSocket connections only: pass it to Puppeteer, Playwright or another DevTools client.",
  [`${DESKTOP_PATH}:key/rfb`]:
    "An rfbUrl accepts WebSocket connections only: open the desktop's url, or use a VNC viewer with `npm run tunnel`.",
};

/** Responds with 426 to plain HTTP requests for WebSocket paths. The gateway handles the WebSocket handshakes. */
export function mountUpgradeRequired(app: ServiceApp): void {
  for (const [path, message] of Object.entries(MESSAGES)) {
    app.all(path, (c) => {
      const refusal = { status: 426, name: "UpgradeRequired", message, headers: { Upgrade: "websocket" } };
      const { headers, body } = renderUpgradeRefusal(refusal, c.get("requestId"));
      return c.body(body, 426, headers);
    });
  }
}
