import type { Socket } from "node:net";
import type { WebSocket } from "ws";
import type { BrowserClient } from "../../ports/browser-client.ts";

/** A relay between a client and a browser or desktop. */
export interface Relay extends BrowserClient {
  /** Disconnects a client that no longer reads, immediately and without a close frame. */
  cut(): void;
  /** Resolves when the client no longer uses the browser; never rejects. */
  readonly left: Promise<void>;
  /** Resolves when both connections are closed, after `left`; never rejects. */
  readonly closed: Promise<void>;
}

/** Resolves when the socket is closed; immediately if it is already closed. */
export function whenClosed(socket: WebSocket | Socket): Promise<void> {
  return new Promise((resolve) => {
    if ("closed" in socket ? socket.closed : socket.readyState === socket.CLOSED) resolve();
    else socket.once("close", () => resolve());
  });
}
