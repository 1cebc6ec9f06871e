import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Relay } from "../relay/relay.ts";

/** Connects clients to a browser's DevTools, to its desktop, or to the worker that runs them. */
export interface Upstream {
  /** The browser, desktop or worker. Clients with the same target are counted together. */
  readonly target: object;
  /** The target's name in messages. */
  readonly name: "browser" | "desktop" | "worker";
  /** Whether the target accepts another client. @param others Number of clients that are connected or connecting. */
  hasCapacity(others: number): boolean;
  /**
   * Connects to the target.
   * @returns A function that responds to the client's upgrade request and starts the relay. The caller must call this
   * function immediately. The function returns undefined if it has refused the upgrade.
   * @throws {Error} If the connection fails; `signal.reason` if the signal is aborted.
   */
  connect(request: IncomingMessage, signal: AbortSignal): Promise<(client: Socket) => Relay | undefined>;
}
