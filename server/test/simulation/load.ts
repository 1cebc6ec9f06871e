import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { hashToken } from "../../src/services/accounts/tokens.ts";
import type { Answered } from "../support/servers/call.ts";
import { ACCOUNT, toToken } from "../support/databases/sql-engines.ts";
import { openTestPostgresStore } from "../support/databases/stores.ts";
import { type Random, newRandom } from "../faults/random.ts";
import { type Client, newClient } from "./client.ts";
import type { SimulatedCluster } from "./cluster.ts";
import type { Burst, History } from "./history.ts";
import { live, toSession } from "./session.ts";

/** An account. Sessions choose accounts at random, weighted by share. */
export type LoadAccount = {
  readonly id: string;
  readonly email: string;
  token: string;
  readonly limit: number | undefined;
  readonly share: number;
};

/** The first account has no limit, so with more sessions than this, its share grows. */
const EVEN = 2500;
/** Opens per second while response times are measured, and how long their browsers stay open, in ms. */
const [MEASURED_PER_S, MEASURED_HELD_MS] = [50, 2000];
/** Number of sessions ended per second when the load ends. Thousands of simultaneous requests would time out. */
const ENDS_PER_S = 150;
/**
 * Number of times that simultaneous Opens are retried while the service is unavailable, and the delay between tries, in
 * ms.
 */
const [BURST_TRIES, BURST_PAUSE_MS] = [20, 500];
/** Maximum delay of an Open, in ms. Opens that would be delayed longer are skipped. */
const BEHIND_MS = 1000;
/** Exponents by which later accounts' shares and limits decrease (Zipf's law). */
const [SHARE_EXPONENT, LIMIT_EXPONENT] = [1, 1.9];
/** Lowest starting value of the limits, which decrease by Zipf's law. */
const LIMIT = 500;
const ACCOUNTS = 24;

export type LoadOptions = {
  readonly seed: number;
  /** Number of simultaneous sessions. */
  readonly sessions: number;
  /** Opens per second until all sessions are open. After that, `churnPerS` sessions are replaced per second. */
  readonly opensPerS: number;
  readonly churnPerS: number;
  /** Share of clients that crash their browsers. */
  readonly crashShare: number;
  /** Returns the end of the time in which clients may disconnect before they receive a response. */
  readonly leaveUntilMs: () => number;
};

/** Creates accounts: the first without a limit, the others with decreasing limits. */
export async function createAccounts({ cluster }: SimulatedCluster, sessions: number): Promise<LoadAccount[]> {
  const limits = Array.from({ length: ACCOUNTS }, (_, at) => Math.max(LIMIT, sessions) / (at + 1) ** LIMIT_EXPONENT);
  await using store = await openTestPostgresStore(cluster.url, "accounts", 1);
  const accounts: LoadAccount[] = [];
  for (const [at, exact] of limits.entries()) {
    const limit = at === 0 ? undefined : Math.max(1, Math.round(exact));
    const id = `account-${at + 1}`;
    const email = `${id}@example.com`;
    const token = randomBytes(32).toString("base64url");
    const account = { ...ACCOUNT, id, email, plan: "self-hosted", parallel: limit };
    await store.accounts.create(account, { token: toToken(hashToken(token)) });
    const share = (at + 1) ** -SHARE_EXPONENT * (at === 0 ? Math.max(1, sessions / EVEN) : 1);
    accounts.push({ id, email, token, limit, share });
  }
  return accounts;
}

/** Clients that keep a number of sessions open, and continuously replace some of them. */
export class Load {
  readonly #cluster: SimulatedCluster;
  readonly #accounts: readonly LoadAccount[];
  readonly #history: History;
  readonly #options: LoadOptions;
  readonly #over = new AbortController();
  /** All sessions, with the controllers that end them. */
  readonly #lives = new Map<Promise<void>, AbortController>();
  readonly #filled = Promise.withResolvers<void>();
  #running = Promise.resolve();
  #isPaused = false;
  #measured = 0;

  constructor(cluster: SimulatedCluster, accounts: readonly LoadAccount[], history: History, options: LoadOptions) {
    this.#cluster = cluster;
    this.#accounts = accounts;
    this.#history = history;
    this.#options = options;
    for (const { id, limit } of accounts) history.limits.set(id, limit);
  }

  /** Starts the load. Resolves when the target number of sessions is reached. */
  fill(): Promise<void> {
    this.#running = this.#run();
    return this.#filled.promise;
  }

  /** The number of sessions that are opening, open or closing. */
  get live(): number {
    return this.#lives.size;
  }

  /** Ends all sessions, and resolves when their clients have finished. */
  async end(): Promise<void> {
    this.#over.abort();
    await this.#running;
    const lives = [...this.#lives];
    const startedMs = performance.now();
    for (const [at, [, over]] of lives.entries()) {
      await wait(Math.max(0, startedMs + (at * 1000) / ENDS_PER_S - performance.now()));
      over.abort();
    }
    await Promise.all(lives.map(([life]) => life));
  }

  async #run(): Promise<void> {
    const { seed, sessions, opensPerS, churnPerS, leaveUntilMs } = this.#options;
    const { signal: over } = this.#over;
    let dueMs = performance.now();
    for (let number = 1; !over.aborted; number += 1) {
      // Each session has its own random numbers, so that the numbers don't depend on the order of responses.
      const random = newRandom(seed * 1_000_003 + number);
      const lifetimeMs = Math.round(-Math.log(1 - random.between(0, 1)) * (sessions / churnPerS) * 1000);
      this.#begin(this.#draw(random), `s-${number}`, random, lifetimeMs, Date.now() < leaveUntilMs());
      dueMs = Math.max(dueMs + 1000 / opensPerS, performance.now() - BEHIND_MS);
      // An abort ends the wait.
      await wait(Math.max(0, dueMs - performance.now()), undefined, { signal: over }).catch(() => {});
      while ((this.#lives.size >= sessions || this.#isPaused) && !over.aborted) {
        this.#filled.resolve();
        await wait(10, undefined, { signal: over }).catch(() => {});
      }
    }
    this.#filled.resolve();
  }

  #begin(account: LoadAccount, label: string, random: Random, lifetimeMs: number, canLeave: boolean): void {
    const { crashShare } = this.#options;
    const session = toSession(account.id, label, random);
    this.#history.sessions.push(session);
    const over = new AbortController();
    const plan = { random, lifetimeMs, over: over.signal, canLeave, crashShare };
    const life: Promise<void> = live(this.#newClient(account, random), session, plan)
      .catch((error: unknown) => void this.#history.mistakes.push(`A client failed: ${String(error)}`))
      .finally(() => this.#lives.delete(life));
    this.#lives.set(life, over);
  }

  /**
   * Measures Opens at a constant rate while the existing sessions stay open and no other sessions start. The first
   * measurement is preceded by the same number of unmeasured Opens, because newly started programs are slow.
   */
  async measure(seconds: number): Promise<void> {
    const { size } = this.#lives;
    if (this.#measured === 0) await this.#openSteadily(seconds);
    const sessions = await this.#openSteadily(seconds);
    const open = size + (MEASURED_PER_S * MEASURED_HELD_MS) / 1000;
    this.#history.measured.push({ open, sessions });
  }

  /** Opens browsers at a constant rate. @returns The labels of the sessions. */
  async #openSteadily(seconds: number): Promise<string[]> {
    this.#isPaused = true;
    const labels: string[] = [];
    const startedMs = performance.now();
    for (let number = 0; number < seconds * MEASURED_PER_S; number += 1) {
      await wait(Math.max(0, startedMs + (number * 1000) / MEASURED_PER_S - performance.now()));
      const label = `m-${(this.#measured += 1)}`;
      const random = newRandom(this.#options.seed * 1_000_003 - this.#measured);
      this.#begin(this.#accounts[0] as LoadAccount, label, random, MEASURED_HELD_MS, false);
      labels.push(label);
    }
    this.#isPaused = false;
    return labels;
  }

  /** Sends twice as many simultaneous Opens as an account's limit allows. The account must have no open browsers. */
  async burst(account: LoadAccount, limit: number): Promise<Burst> {
    const client = this.#newClient(account, newRandom(this.#options.seed));
    const asked = 2 * limit;
    const answers = await Promise.all(Array.from({ length: asked }, () => openOrWait(client)));
    const opened = answers.filter((answer) => answer?.status === 200).length;
    const refused = answers.filter((answer) => answer?.status !== 200);
    const names = refused.map((answer) => answer?.body["name"] ?? "lost");
    const others = names.filter((name) => name !== "lost" && name !== "BrowserLimit");
    if (others.length > 0)
      this.#history.mistakes.push(`Simultaneous Opens were refused with ${JSON.stringify(others)}.`);
    await client.post("CloseAll", { all: true });
    return { account: account.id, limit, opened, asked };
  }

  #newClient(account: LoadAccount, random: Random) {
    const onMistake = (mistake: string): void => void this.#history.mistakes.push(mistake);
    const { fronts, clientAddresses: addresses } = this.#cluster;
    return newClient({ fronts, addresses, random, token: () => account.token, onMistake });
  }

  #draw(random: Random): LoadAccount {
    let left = random.between(
      0,
      this.#accounts.reduce((sum, { share }) => sum + share, 0),
    );
    return this.#accounts.find(({ share }) => (left -= share) < 0) ?? (this.#accounts[0] as LoadAccount);
  }
}

/** Opens a browser. Retries while the service is unavailable, for example because the database is slow. */
async function openOrWait(client: Client): Promise<Answered | undefined> {
  for (let tries = BURST_TRIES; ; tries -= 1) {
    const answer = await client.post("Open", { Headless: true });
    if (answer?.status !== 503 || tries === 1) return answer;
    await wait(BURST_PAUSE_MS);
  }
}
