import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Relay } from "../relay/relay.ts";

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
   *   when it has refused the upgrade itself.
   * @throws {Error} If the connection fails; `signal.reason` if the signal is aborted.
   */
  connect(request: IncomingMessage, signal: AbortSignal): Promise<(client: Socket) => Relay | undefined>;
}
