import { DEVTOOLS_PATH } from "../domain/browser/address.ts";
import { DESKTOP_PATH } from "../domain/browser/desktop.ts";
import type { ServiceApp } from "./service.ts";
import { renderUpgradeRefusal } from "../gateway/upgrade-refusal.ts";

/** What the WebSockets answer to a request that is no handshake; the handshakes are the gateway's. */
export function mountWebSockets(app: ServiceApp): void {
  mount(
    app,
    `${DEVTOOLS_PATH}:key`,
    "An address is connected to by WebSocket: hand it to Puppeteer, Playwright or another DevTools client.",
  );
  mount(
    app,
    `${DESKTOP_PATH}:key/rfb`,
    "An rfbUrl is connected to by WebSocket: open the desktop's url, or use a VNC viewer with `npm run tunnel`.",
  );
}

function mount(app: ServiceApp, path: string, message: string): void {
  app.all(path, (c) => {
    const refusal = { status: 426, name: "UpgradeRequired", message, headers: { Upgrade: "websocket" } };
    const { headers, body } = renderUpgradeRefusal(refusal, c.get("requestId"));
    return c.body(body, 426, headers);
  });
}
