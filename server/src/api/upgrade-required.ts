import { DEVTOOLS_PATH } from "../domain/browser/address.ts";
import { DESKTOP_PATH } from "../domain/browser/desktop.ts";
import { renderUpgradeRefusal } from "../gateway/upgrade/refusal.ts";
import type { ServiceApp } from "./app.ts";

/** Answers plain HTTP requests to the paths of WebSockets with 426. The gateway handles the WebSocket handshakes. */
export function mountUpgradeRequired(app: ServiceApp): void {
  mount(
    app,
    `${DEVTOOLS_PATH}:key`,
    "This address accepts WebSocket connections only: pass it to Puppeteer, Playwright or another DevTools client.",
  );
  mount(
    app,
    `${DESKTOP_PATH}:key/rfb`,
    "An rfbUrl accepts WebSocket connections only: open the desktop's url, or use a VNC viewer with `npm run tunnel`.",
  );
}

function mount(app: ServiceApp, path: string, message: string): void {
  app.all(path, (c) => {
    const refusal = { status: 426, name: "UpgradeRequired", message, headers: { Upgrade: "websocket" } };
    const { headers, body } = renderUpgradeRefusal(refusal, c.get("requestId"));
    return c.body(body, 426, headers);
  });
}
