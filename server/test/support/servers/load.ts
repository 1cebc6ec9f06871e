import { setTimeout as wait } from "node:timers/promises";
import type { Deployment } from "./deployment.ts";
import type { RealServer } from "./real-server.ts";
import { until } from "../until.ts";

/** Time between a refusal and the next request. */
const PAUSE_MS = 20;

type Given = {
  readonly token: string;
  readonly parallel: number;
  readonly clients: number;
  /** Time that a client keeps a browser open, in ms. */
  readonly keepMs: number;
};

/** An account, and what its clients observed. */
export type Tried = Given & {
  /**
   * Browsers that are definitely open: from the Open response until the Close request, or until their server is killed.
   */
  readonly open: Map<string, RealServer>;
  /** The maximum number of browsers that were open at the same time. */
  most: number;
  /** Successful Opens. */
  opened: number;
  /** The number of error responses, by error name. */
  readonly refusals: Map<string, number>;
};

export function toTried(given: Given): Tried {
  return { ...given, open: new Map(), most: 0, opened: 0, refusals: new Map() };
}

/** Clients of several servers, some of which are killed during the load. Disposing stops the clients. */
export class Load implements AsyncDisposable {
  readonly #deployment: Deployment;
  readonly #killed = new Set<RealServer>();
  readonly #clients: Promise<void>[] = [];
  #isOver = false;

  constructor(deployment: Deployment) {
    this.#deployment = deployment;
  }

  /** Starts an account's clients, which open and close browsers on all servers in turn until the load ends. */
  add(account: Tried): void {
    for (let index = 0; index < account.clients; index += 1) {
      const client = this.#run(account, index);
      // `end` reports the error.
      client.catch(() => {});
      this.#clients.push(client);
    }
  }

  /** Kills a server, and removes its browsers from the accounts' lists of open browsers. */
  async kill(server: RealServer, accounts: readonly Tried[]): Promise<void> {
    this.#killed.add(server);
    for (const { open } of accounts) for (const [address, holder] of open) if (holder === server) open.delete(address);
    server.signal("SIGKILL");
    await server.ended;
  }

  /** Closes all browsers. @throws {Error} If a client couldn't reach a server that wasn't killed. */
  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#clients);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await Promise.allSettled(this.#clients);
  }

  async #run(account: Tried, first: number): Promise<void> {
    const { servers } = this.#deployment;
    for (let turn = first; !this.#isOver; turn += 1) {
      const server = servers[turn % servers.length] as RealServer;
      await this.#openOnce(account, server).catch((error: unknown) => {
        // The request's connection was lost, or could not be established.
        if (!this.#killed.has(server)) throw error;
        return wait(PAUSE_MS);
      });
    }
  }

  async #openOnce(account: Tried, server: RealServer): Promise<void> {
    const { token, open, refusals, keepMs } = account;
    const { status, body } = await server.post("Open", { Headless: true, KeepOpen: 600 }, token);
    if (status !== 200) {
      const name = String(body["name"]);
      refusals.set(name, (refusals.get(name) ?? 0) + 1);
      return wait(PAUSE_MS);
    }
    account.opened += 1;
    // This response was in transit when the server was killed.
    if (this.#killed.has(server)) return;
    const address = String(body["address"]);
    open.set(address, server);
    account.most = Math.max(account.most, open.size);
    await wait(keepMs);
    open.delete(address);
    // A busy server may not respond in time.
    await until(
      () => server.post("Close", { address }, token),
      (answer) => answer.status === 200,
    );
  }
}
