import type { Socket } from "node:net";
import type { WebSocket } from "ws";

/** Resolves when it is closed, at once if it is already. */
export function whenClosed(one: WebSocket | Socket): Promise<void> {
  return new Promise((resolve) => {
    if ("closed" in one ? one.closed : one.readyState === one.CLOSED) resolve();
    else one.once("close", () => resolve());
  });
}
