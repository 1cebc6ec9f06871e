import type { Declared, SpecialAccount } from "../contract/vocabulary.ts";
import type { Exchange } from "../target/exchange.ts";
import { toObject } from "../target/json.ts";
import { Account, type Ledger } from "./account.ts";
import type { Lease } from "./shared-browsers.ts";
import type { RunOptions } from "./run-options.ts";
import type { Session, SharedKind } from "./session.ts";
import { ScenarioClock } from "./scenario-clock.ts";
import type { Site } from "../target/site.ts";
import { Violation } from "../target/violation.ts";

const POLL_MS = 100;

/** Provides a rule with access to the deployment. Disposal closes the browsers that the rule left open. */
export class Run implements AsyncDisposable {
  /** The rule's requests and responses, oldest first. */
  readonly exchanges: Exchange[] = [];
  readonly time: ScenarioClock;
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
    this.time = new ScenarioClock(session.rateLimiter);
  }

  get options(): RunOptions {
    return this.#session.options;
  }

  /** The account that `--token` belongs to. */
  get main(): Account {
    return this.#accountOf(this.options.token);
  }

  /** @throws {Error} If the rule does not list this account in `needs`. */
  readonly account = (name: SpecialAccount): Account => {
    const token = this.options.tokens[name];
    if (token === undefined) throw new Error(`The rule uses the account ${name}, but does not list it in \`needs\`.`);
    return this.#accountOf(token);
  };

  /** Creates a label that marks a browser as opened by this run. */
  readonly newLabel = (): string => this.#session.newLabel();

  /** Options of the deployment's cheapest browser, for rules that need any browser. */
  get lightest(): Ledger["lightest"] {
    return this.#session.lightest;
  }

  /** A KeepOpen in seconds that outlasts the rule. */
  get keepOpenS(): number {
    return this.#session.keepOpenS;
  }

  /** Whether the deployment declares that it lacks a capability. */
  readonly lacks = (name: Declared): boolean => this.options.lacks?.includes(name) === true;

  /** The prefix of all labels in this run. */
  get prefix(): string {
    return this.options.labelPrefix;
  }

  /** Returns a browser that rules share. Rules must not change the browser. */
  readonly shared = async (kind: SharedKind): Promise<string> => {
    this.time.throwIfEnded();
    return await this.#session.shared(kind);
  };

  /** Leases a graphical browser whose desktop is stopped. Dispose the lease when done. Don't close the browser. */
  readonly leaseBrowser = async (): Promise<Lease> => {
    this.time.throwIfEnded();
    return await this.#session.leaseBrowser();
  };

  /**
   * Returns the suite's site, which all rules share.
   * @throws {Undecidable} If the suite can't listen at the site's port.
   */
  readonly site = (): Promise<Site> => this.#session.site();

  readonly sleep = (ms: number): Promise<void> => this.time.sleep(ms);

  /**
   * Polls until the value is as expected.
   * @returns The value.
   * @throws {Violation} If no value is as expected within `withinMs`.
   */
  readonly until = async <T>(
    ask: () => Promise<T>,
    holds: (answer: T) => boolean,
    withinMs: number,
    expected: string,
  ): Promise<T> => {
    const deadline = Date.now() + withinMs;
    for (;;) {
      const answer = await ask();
      if (holds(answer)) return answer;
      if (Date.now() > deadline) {
        const seen = typeof answer === "object" ? "something else" : String(answer);
        throw new Violation({ expected: `${expected} within ${withinMs / 1000} s`, seen });
      }
      await this.sleep(POLL_MS);
    }
  };

  /** Addresses of all browsers that the rule opened, including closed browsers. */
  get opened(): readonly string[] {
    const opens = this.exchanges.filter(({ operation }) => operation === "openBrowser");
    return opens.map(({ received }) => toObject(received.json)["address"]).filter((each) => typeof each === "string");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#session.close(this.opened);
  }

  #accountOf(token: string): Account {
    const target = this.#session.newTarget((exchange) => this.exchanges.push(exchange), this.time);
    return new Account(this.#session, target, token);
  }
}
