import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { WebSocket } from "ws";
import type { BrowserClient } from "../ports/browser-client.ts";

/** The target of an accepted upgrade: a browser's DevTools, its desktop, or the worker that has them. */
export interface Upstream {
  /** The browser, desktop or worker; its clients are counted together. */
  readonly target: object;
  /** Its name in messages. */
  readonly name: "browser" | "desktop" | "worker";
  /** Whether it accepts another client. @param others Clients that are connected or connecting. */
  hasCapacity(others: number): boolean;
  /**
   * Connects to it.
   * @returns Answers the client's upgrade and starts the relay; the caller calls it immediately. It returns undefined
   * when it
   *   has refused the upgrade itself.
   * @throws {Error} If the connection fails; `signal.reason` if the signal is aborted.
   */
  connect(request: IncomingMessage, signal: AbortSignal): Promise<(client: Socket) => Relay | undefined>;
}

/** A client whose bytes are relayed to a browser or a desktop and back. */
export interface Relay extends BrowserClient {
  /** Ends the client's side immediately, without a close frame, for clients that no longer read. */
  cut(): void;
  /** Resolves when the client no longer uses the browser; never rejects. */
  readonly left: Promise<void>;
  /** Resolves when both sides are closed, after `left`; never rejects. */
  readonly closed: Promise<void>;
}

/** Resolves when the socket is closed, or immediately if it already is. */
export function whenClosed(socket: WebSocket | Socket): Promise<void> {
  return new Promise((resolve) => {
    if ("closed" in socket ? socket.closed : socket.readyState === socket.CLOSED) resolve();
    else socket.once("close", () => resolve());
  });
}
