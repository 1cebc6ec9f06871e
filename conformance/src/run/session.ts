import type { SpecialAccount } from "../registry/vocabulary.ts";
import type { Exchange } from "../target/exchange.ts";
import { AccountRateLimiter, type RateLimiter } from "../target/rate-limiter.ts";
import { Target } from "../target/target.ts";
import { Account, type Ledger } from "./account.ts";
import { toObject } from "../target/json.ts";
import { LeasedBrowser, type Lease } from "./leased-browser.ts";
import { OpenBudget } from "./open-budget.ts";
import { type RunOptions, maxConcurrentScenarios } from "./run-options.ts";
import { Secrets } from "./secrets.ts";
import { SharedBrowser } from "./shared-browser.ts";
import { Undecidable } from "../registry/violation.ts";

/** Why a rule has no verdict when whoever started the run has ended it. */
export const INTERRUPTED = "The run was interrupted.";

const ANSWER_MS = 60_000;
const SHARED_KEEP_OPEN_S = 300;
/** Browsers that nobody closes must not stay: so long they do, as long as nothing holds requests back. */
const KEEP_OPEN_S = 60;
/** So often a scenario comes to send while its browser has nobody who is connected. */
const TURNS = 10;
/** For two waits of those that a server may ask for. */
const SLOWED_S = 130;

/** Browsers that rules look at without changing them: opened when the first one asks, closed at the end. */
export type SharedKind = "headless" | "graphical";

/**
 * What all rules of one run share: the deployment, the tokens, the label prefix by which the run's browsers are known, and
 * every exchange so far. Disposing closes what is still open of all that it has opened.
 */
export class Session implements AsyncDisposable, Ledger {
  readonly options: RunOptions;
  readonly exchanges: Exchange[] = [];
  readonly opened = new Map<string, string>();
  readonly budget: OpenBudget;
  readonly secrets: Secrets;
  readonly #pace: AccountRateLimiter;
  readonly #closingPace: AccountRateLimiter;
  readonly #leasedBrowser: LeasedBrowser;
  readonly #shared: Readonly<Record<SharedKind, SharedBrowser>>;
  /** Addresses of all that it has opened, closed ones too. */
  readonly #own = new Set<unknown>();
  readonly #foreign = new Set<string>();
  #labels = 0;
  #isInterrupted = false;

  constructor(options: RunOptions) {
    this.options = options;
    this.#pace = new AccountRateLimiter(options.rate);
    this.#closingPace = new AccountRateLimiter(options.rate);
    this.budget = new OpenBudget(options.budget);
    this.protect(options.foreign ?? []);
    const isOpen = async (address: string): Promise<boolean> => (await this.#newAccount().find(address)) !== undefined;
    const open = (Headless: boolean) => (): Promise<string> =>
      this.#newAccount().openBrowser({ Headless, KeepOpen: SHARED_KEEP_OPEN_S });
    const reset = async (address: string): Promise<void> => void (await this.#newAccount().stopDesktop(address));
    this.#leasedBrowser = new LeasedBrowser({ open: open(false), isOpen, reset });
    const sharing = (Headless: boolean): SharedBrowser => new SharedBrowser({ open: open(Headless), isOpen });
    this.#shared = { headless: sharing(true), graphical: sharing(false) };
    const special = Object.entries(options.tokens).map(([name, token]) => [toVariable(name), token] as const);
    this.secrets = new Secrets(
      { TOKEN: options.token, ...Object.fromEntries(special) },
      ({ address, label }) =>
        this.#own.has(address) || (typeof label === "string" && label.startsWith(options.labelPrefix)),
    );
  }

  /** When requests go on, for all of the run. */
  get turns(): RateLimiter {
    return this.#pace;
  }

  /**
   * The deployment.
   * @param onExchange Hears of what goes through this one alone.
   * @param turns Holds its requests back; those of the whole run, unless it is said.
   */
  newTarget(onExchange: (exchange: Exchange) => void = () => {}, turns: RateLimiter = this.#pace): Target {
    return this.#targetAt(turns, onExchange);
  }

  /** The text without tokens, addresses and passwords. */
  redact(text: string): string {
    return this.secrets.redact(text);
  }

  tokenOf(account: SpecialAccount | "main"): string | undefined {
    return account === "main" ? this.options.token : this.options.tokens[account];
  }

  get lightest(): Ledger["lightest"] {
    const { lightKind } = this.options;
    return { Headless: true, ...(lightKind === undefined ? {} : { Browser: lightKind }) };
  }

  get keepOpenS(): number {
    const { rate, parallel } = this.options;
    const queueS = rate === undefined ? 0 : Math.ceil((TURNS * maxConcurrentScenarios({ rate, parallel })) / rate);
    return KEEP_OPEN_S + queueS + (this.#pace.isSlowed ? SLOWED_S : 0);
  }

  isForeign(address: string): boolean {
    return this.#foreign.has(toId(address));
  }

  /** From now on these are known to have been open before the run. */
  protect(addresses: Iterable<string>): void {
    for (const address of addresses) this.#foreign.add(toId(address));
  }

  newLabel(): string {
    this.#labels += 1;
    return `${this.options.labelPrefix}-${this.#labels}`;
  }

  /** @throws {Undecidable} When it can't be opened. */
  shared(kind: SharedKind): Promise<string> {
    return this.#shared[kind].get();
  }

  /** A graphical browser for one scenario at a time, its desktop stopped. @throws {Undecidable} When it can't be opened. */
  leaseBrowser(): Promise<Lease> {
    return this.#leasedBrowser.leaseBrowser();
  }

  get isInterrupted(): boolean {
    return this.#isInterrupted;
  }

  /** From now on nothing is sent but what closes browsers. */
  interrupt(): void {
    this.#isInterrupted = true;
    this.#pace.stop(new Undecidable(INTERRUPTED));
  }

  /** Closes these browsers if they are not known to be closed; what fails is left to their KeepOpen. */
  async close(addresses: Iterable<string>): Promise<void> {
    const target = this.#targetAt(this.#closingPace);
    const closings = [...addresses].map(async (address) => {
      const token = this.opened.get(address);
      if (token !== undefined) await new Account(this, target, token).close(address).catch(() => {});
    });
    await Promise.all(closings);
  }

  #newAccount(): Account {
    return new Account(this, this.newTarget(), this.options.token);
  }

  #targetAt(pace: RateLimiter, onExchange: (exchange: Exchange) => void = () => {}): Target {
    return new Target({
      baseUrl: new URL(this.options.baseUrl),
      pace,
      timeoutMs: ANSWER_MS,
      onExchange: (exchange) => {
        this.secrets.learn(exchange.received.json);
        if (exchange.operation === "openBrowser") this.#own.add(toObject(exchange.received.json)["address"]);
        this.exchanges.push(exchange);
        onExchange(exchange);
      },
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close(this.opened.keys());
  }
}

/** What tells a browser, in whatever way its address is written. */
function toId(address: string): string {
  return /([^/?#]+)\/?(?:[?#].*)?$/.exec(address)?.[1] ?? address;
}

/** `no-units` → `TOKEN_NO_UNITS` */
function toVariable(account: string): string {
  return `TOKEN_${account.toUpperCase().replaceAll("-", "_")}`;
}
