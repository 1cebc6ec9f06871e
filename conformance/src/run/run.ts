import type { SpecialAccount } from "../registry/vocabulary.ts";
import type { Exchange } from "../target/exchange.ts";
import { Account, type Ledger } from "./account.ts";
import type { Lease } from "./leased-browser.ts";
import type { RunOptions } from "./run-options.ts";
import type { Session, SharedKind } from "./session.ts";
import { ScenarioClock } from "./scenario-clock.ts";
import { Violation } from "../registry/violation.ts";

const POLL_MS = 100;

/** One rule's go at a deployment. Disposing closes the browsers that it opened and has not closed itself. */
export class Run implements AsyncDisposable {
  /** What this rule sent and received, oldest first. */
  readonly exchanges: Exchange[] = [];
  readonly time: ScenarioClock;
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
    this.time = new ScenarioClock(session.turns);
  }

  get options(): RunOptions {
    return this.#session.options;
  }

  /** The account whose token every run has. */
  get main(): Account {
    return this.#accountOf(this.options.token);
  }

  /** Whoever gives this as a token. */
  readonly holder = (token: string): Account => this.#accountOf(token);

  /** @throws {Error} When the rule does not say that it needs this account. */
  readonly account = (name: SpecialAccount): Account => {
    const token = this.#session.tokenOf(name);
    if (token === undefined) throw new Error(`The rule runs without the account ${name}: list it in \`needs\`.`);
    return this.#accountOf(token);
  };

  /** Makes a label for one browser, by which the run knows it as its own. */
  readonly newLabel = (): string => this.#session.newLabel();

  /** Options of the browser that costs least here, where a rule needs any at all. */
  get lightest(): Ledger["lightest"] {
    return this.#session.lightest;
  }

  /** For how long a browser has to stay that nobody is connected to while its rule goes on. */
  get keepOpenS(): number {
    return this.#session.keepOpenS;
  }

  /** Begins all labels of this run. */
  get prefix(): string {
    return this.options.labelPrefix;
  }

  /** A browser that other rules use as well: look at it, don't change it. */
  readonly shared = async (kind: SharedKind): Promise<string> => {
    this.time.throwIfEnded();
    return await this.#session.shared(kind);
  };

  /**
   * A graphical browser that no other rule has meanwhile, its desktop stopped. Give it back by disposing; don't close it.
   */
  readonly leaseBrowser = async (): Promise<Lease> => {
    this.time.throwIfEnded();
    return await this.#session.leaseBrowser();
  };

  readonly sleep = (ms: number): Promise<void> => this.time.sleep(ms);

  /**
   * Asks again and again until the answer is as it should be.
   * @returns The answer.
   * @throws {Violation} When it isn't within so many milliseconds.
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
        throw new Violation({ expected: `${expected} within ${withinMs / 1000} s`, seen: "that it is not so" });
      }
      await this.sleep(POLL_MS);
    }
  };

  /** Addresses of the browsers that Open gave it, closed ones too. */
  get opened(): readonly string[] {
    return this.exchanges.flatMap(({ operation, received: { json } }) => {
      if (operation !== "openBrowser" || typeof json !== "object" || json === null) return [];
      return "address" in json && typeof json.address === "string" ? [json.address] : [];
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#session.close(this.opened);
  }

  #accountOf(token: string): Account {
    return new Account(
      this.#session,
      this.#session.newTarget((exchange) => this.exchanges.push(exchange), this.time),
      token,
    );
  }
}
