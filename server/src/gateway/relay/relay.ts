import type { Socket } from "node:net";
import type { WebSocket } from "ws";
import type { BrowserClient } from "../../ports/browser-client.ts";

/** A relay between a client and a browser or desktop. */
export interface Relay extends BrowserClient {
  /** Ends the client's connection immediately, without a close frame, for clients that no longer read. */
  cut(): void;
  /** Resolves when the client no longer uses the browser; never rejects. */
  readonly left: Promise<void>;
  /** Resolves when both connections are closed, after `left`; never rejects. */
  readonly closed: Promise<void>;
}

/** Resolves when the socket is closed, or immediately if it already is. */
export function whenClosed(socket: WebSocket | Socket): Promise<void> {
  return new Promise((resolve) => {
    if ("closed" in socket ? socket.closed : socket.readyState === socket.CLOSED) resolve();
    else socket.once("close", () => resolve());
  });
}
