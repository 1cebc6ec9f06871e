import { DEVTOOLS_PATH } from "../domain/address.ts";
import type { ServiceApp } from "../http/service.ts";
import { renderUpgradeRefusal } from "../http/upgrade-refusal.ts";

/** What an address answers to a request that is no WebSocket handshake; the handshakes are the gateway's. */
export function mountDevtools(app: ServiceApp): void {
  app.all(`${DEVTOOLS_PATH}:key`, (c) => {
    const message =
      "An address is connected to by WebSocket: hand it to Puppeteer, Playwright or another DevTools client.";
    const refusal = { status: 426, name: "UpgradeRequired", message, headers: { Upgrade: "websocket" } };
    const { headers, body } = renderUpgradeRefusal(refusal, c.get("requestId"));
    return c.body(body, 426, headers);
  });
}
