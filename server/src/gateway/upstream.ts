import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Connection } from "./connection.ts";

/** Where an admitted upgrade goes. */
export interface Upstream {
  /** What clients are counted by. */
  readonly target: object;
  /** What clients come for, as refusals call it. */
  readonly name: string;
  /** Whether there is room for one more beside so many, connected or connecting. */
  hasRoom(others: number): boolean;
  /**
   * Reaches the other end.
   * @returns Answers the client's upgrade and connects it; undefined when there was something in it that could not be
   *   answered with a 101, and the client has been told. The caller calls it at once.
   * @throws {Error} When the other end can't be reached; `signal.reason` when that is aborted.
   */
  open(request: IncomingMessage, signal: AbortSignal): Promise<(client: Socket) => Connection | undefined>;
}
