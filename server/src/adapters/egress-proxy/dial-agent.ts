import { Agent, type AgentOptions } from "node:http";
import type { LookupFunction, Socket } from "node:net";
import type { Target } from "./exit.ts";

/** Less than what servers commonly wait for a next request (5 s), so that few requests meet a closing connection. */
const IDLE_MS = 4_000;

export type Dial = (target: Target, lookup: LookupFunction) => Promise<Socket>;

/** Has the connections that plain requests are written to; how they come about is the dial's business. */
export class DialAgent extends Agent {
  readonly #dial: Dial;

  /** @param isKeeper Whether its connections are kept for later requests. */
  constructor(dial: Dial, isKeeper: boolean) {
    super({ keepAlive: isKeeper, timeout: IDLE_MS } satisfies AgentOptions);
    this.#dial = dial;
  }

  override createConnection(
    ...[options, callback]: Parameters<Agent["createConnection"]>
  ): ReturnType<Agent["createConnection"]> {
    const { host, port, lookup } = options;
    if (callback === undefined || lookup === undefined) throw new Error("A request was not admitted.");
    this.#dial({ host: host ?? "", port: Number(port) }, lookup).then(
      (socket) => callback(null, socket),
      (error: unknown) => callback(error as Error, undefined as never),
    );
    return undefined;
  }
}
