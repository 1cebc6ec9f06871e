import { toVariable } from "../contract/vocabulary.ts";
import type { Exchange } from "../target/exchange.ts";
import { AccountRateLimiter, type RateLimiter } from "../target/rate-limiter.ts";
import { type Site, openSite } from "../target/site.ts";
import { Target } from "../target/target.ts";
import { Account, type Ledger } from "./account.ts";
import { toObject } from "../target/json.ts";
import { OpenBudget } from "./open-budget.ts";
import { type RunOptions, maxConcurrentScenarios } from "./run-options.ts";
import { Secrets } from "./secrets.ts";
import { LeasedBrowser, type Lease, SharedBrowser } from "./shared-browsers.ts";
import { Undecidable } from "../target/violation.ts";

/** The reported reason for rules that were unfinished when the user interrupted the run. */
export const INTERRUPTED = "The run was interrupted.";

const ANSWER_MS = 60_000;
const SHARED_KEEP_OPEN_S = 300;
/** `KeepOpen` value that closes the run's browsers even if the run is killed. Rate limits increase this value. */
const KEEP_OPEN_S = 60;
/** Maximum number of requests that a scenario may send while no client is connected to its browser. */
const REQUESTS_PER_SCENARIO = 10;
/** Maximum total duration of two rate-limit waits, in seconds. */
const SLOWED_S = 130;

/** Browsers that several rules use without changing them, opened on first use and closed after the run. */
export type SharedKind = "headless" | "graphical";

/**
 * State shared by all rules of a run: the deployment, the tokens, the label prefix and all exchanges. Disposal closes
 * the browsers that are still open.
 */
export class Session implements AsyncDisposable, Ledger {
  readonly options: RunOptions;
  readonly exchanges: Exchange[] = [];
  readonly opened = new Map<string, string>();
  readonly budget: OpenBudget;
  readonly secrets: Secrets;
  readonly rateLimiter: AccountRateLimiter;
  readonly #closingRateLimiter: AccountRateLimiter;
  readonly #leasedBrowser: LeasedBrowser;
  readonly #shared: Readonly<Record<SharedKind, SharedBrowser>>;
  /** Addresses and ids of all browsers that the run opened, including closed browsers. */
  readonly #own = new Set<unknown>();
  readonly #foreign = new Set<string>();
  #site: Promise<Site> | undefined;
  #labels = 0;
  #isInterrupted = false;

  constructor(options: RunOptions) {
    this.options = options;
    this.rateLimiter = new AccountRateLimiter(options.rate);
    this.#closingRateLimiter = new AccountRateLimiter(options.rate);
    this.budget = new OpenBudget(options.budget);
    this.protect(options.foreign ?? []);
    const isOpen = async (address: string): Promise<boolean> => (await this.#newAccount().find(address)) !== undefined;
    const open = (Headless: boolean) => (): Promise<string> =>
      this.#newAccount().openBrowser({ Headless, KeepOpen: SHARED_KEEP_OPEN_S });
    const reset = async (address: string): Promise<void> => void (await this.#newAccount().stopDesktop(address));
    this.#leasedBrowser = new LeasedBrowser({ open: open(false), isOpen, reset });
    const newShared = (Headless: boolean): SharedBrowser => new SharedBrowser({ open: open(Headless), isOpen });
    this.#shared = { headless: newShared(true), graphical: newShared(false) };
    const special = Object.entries(options.tokens).map(([name, token]) => [toVariable(name), token]);
    this.secrets = new Secrets(
      { TOKEN: options.token, ...Object.fromEntries(special) },
      ({ address, id, label }) =>
        this.#own.has(address) ||
        this.#own.has(id) ||
        (typeof label === "string" && label.startsWith(options.labelPrefix)),
    );
  }

  /**
   * Connects to the deployment.
   * @param onExchange Called only for this target's exchanges.
   * @param rateLimiter Default: the run's rate limiter.
   */
  newTarget(onExchange: (exchange: Exchange) => void = () => {}, rateLimiter: RateLimiter = this.rateLimiter): Target {
    return new Target({
      baseUrl: new URL(this.options.baseUrl),
      rateLimiter,
      timeoutMs: ANSWER_MS,
      onExchange: (exchange) => {
        this.secrets.learn(exchange.received.json);
        if (exchange.operation === "openBrowser") {
          const { address, id } = toObject(exchange.received.json);
          for (const name of [address, id]) if (typeof name === "string") this.#own.add(name);
        }
        this.exchanges.push(exchange);
        onExchange(exchange);
      },
    });
  }

  /** Replaces tokens, addresses and passwords with names. */
  redact(text: string): string {
    return this.secrets.redact(text);
  }

  get lightest(): Ledger["lightest"] {
    const { lightKind } = this.options;
    return { Headless: true, ...(lightKind === undefined ? {} : { Browser: lightKind }) };
  }

  get keepOpenS(): number {
    const { rate, parallel } = this.options;
    const queueS =
      rate === undefined ? 0 : Math.ceil((REQUESTS_PER_SCENARIO * maxConcurrentScenarios({ rate, parallel })) / rate);
    return KEEP_OPEN_S + queueS + (this.rateLimiter.isSlowed ? SLOWED_S : 0);
  }

  isForeign(address: string): boolean {
    return this.#foreign.has(toId(address));
  }

  /** Marks browsers as opened before the run. */
  protect(addresses: Iterable<string>): void {
    for (const address of addresses) this.#foreign.add(toId(address));
  }

  newLabel(): string {
    this.#labels += 1;
    return `${this.options.labelPrefix}-${this.#labels}`;
  }

  /** @throws {Undecidable} If the browser can't be opened. */
  shared(kind: SharedKind): Promise<string> {
    return this.#shared[kind].get();
  }

  /** Leases a graphical browser whose desktop is stopped. @throws {Undecidable} If the browser can't be opened. */
  leaseBrowser(): Promise<Lease> {
    return this.#leasedBrowser.lease();
  }

  /** Opens the suite's site on first use. @throws {Undecidable} If the suite can't listen at the site's port. */
  site(): Promise<Site> {
    const { site } = this.options;
    if (site === undefined) throw new Error("The rule uses the suite's site, but doesn't set `needsSite`.");
    this.#site ??= openSite(site).catch((cause: unknown) => {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new Undecidable(`The suite can't serve its site ${site}: ${why}.`, { cause });
    });
    return this.#site;
  }

  get isInterrupted(): boolean {
    return this.#isInterrupted;
  }

  /** Stops sending requests, except to close browsers. */
  interrupt(): void {
    this.#isInterrupted = true;
    this.rateLimiter.stop(new Undecidable(INTERRUPTED));
  }

  /** Closes browsers that are still open. If a close request fails, the browser closes after its KeepOpen period. */
  async close(addresses: Iterable<string>): Promise<void> {
    const target = this.newTarget(() => {}, this.#closingRateLimiter);
    const closings = [...addresses].map(async (address) => {
      const token = this.opened.get(address);
      if (token !== undefined) await new Account(this, target, token).close(address).catch(() => {});
    });
    await Promise.all(closings);
  }

  #newAccount(): Account {
    return new Account(this, this.newTarget(), this.options.token);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close(this.opened.keys());
    const site = await this.#site?.catch(() => {});
    await site?.[Symbol.asyncDispose]();
  }
}

/** Returns a browser's id, regardless of how its address is written. */
function toId(address: string): string {
  return /([^/?#]+)\/?(?:[?#].*)?$/.exec(address)?.[1] ?? address;
}
