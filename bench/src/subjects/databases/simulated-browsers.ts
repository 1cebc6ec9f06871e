import { randomBytes } from "node:crypto";
import { toTimeOrderedId } from "../../../../server/src/domain/time-ordered-id.ts";
import { type BrowserStore, CHARGE_EVERY_MS, UNLIMITED } from "../../../../server/test/interface.ts";
import { newRandom } from "../browsers/arrivals.ts";

const MINUTE_S = 60;
const BATCH_S = CHARGE_EVERY_MS / 1000;

type SimulatedBrowser = { readonly id: string; readonly openedS: number };

/**
 * A store's browsers in simulated time. Like a server, this class charges minutes in batches, and opens and closes each
 * browser separately, several at the same time.
 */
export class SimulatedBrowsers {
  readonly #browsers: BrowserStore;
  readonly #accountIds: readonly string[];
  readonly #startMs: number;
  readonly #random = newRandom(1);
  /** Open browsers, grouped by the second of the minute in which they opened. */
  readonly #open: readonly Set<SimulatedBrowser>[] = Array.from(
    { length: MINUTE_S },
    () => new Set<SimulatedBrowser>(),
  );
  /** Maps the ids of browsers with minutes to charge to their numbers of started minutes. */
  readonly #due = new Map<string, number>();
  /** The second of each batch period when minutes are charged. */
  readonly #chargeS: number;
  #nowS = 0;

  /** @param index The server's index. Servers with different indexes charge in different seconds. */
  constructor(browsers: BrowserStore, accountIds: readonly string[], start: Date, index = 0) {
    this.#chargeS = index % BATCH_S;
    this.#browsers = browsers;
    this.#accountIds = accountIds;
    this.#startMs = start.getTime();
  }

  /**
   * Advances the simulated time.
   * @param opensPerS The number of browsers opened per second, each for a random account.
   * @param minutes The lifetime of each browser. With `Infinity`, browsers stay open.
   */
  async pass(seconds: number, opensPerS: number, minutes: number): Promise<void> {
    for (const endS = this.#nowS + seconds; this.#nowS < endS; this.#nowS += 1)
      await this.#passSecond(opensPerS, minutes);
  }

  async #passSecond(opensPerS: number, minutes: number): Promise<void> {
    const turn = this.#open[this.#nowS % MINUTE_S] ?? new Set();
    const started = [...turn].map((browser) => ({ browser, minutes: (this.#nowS - browser.openedS) / MINUTE_S + 1 }));
    const ended = started.filter((one) => one.minutes > minutes);
    for (const one of started) if (one.minutes <= minutes) this.#due.set(one.browser.id, one.minutes);
    for (const { browser } of ended) {
      turn.delete(browser);
      this.#due.delete(browser.id);
    }
    const opened = await Promise.all([
      ...Array.from({ length: opensPerS }, () => this.#openOne()),
      ...ended.map(({ browser }) => this.#close(browser, minutes)),
      ...(this.#nowS % BATCH_S === this.#chargeS ? [this.#charge()] : []),
    ]);
    for (const browser of opened) if (typeof browser === "object") turn.add(browser);
  }

  async #charge(): Promise<undefined> {
    const batch = [...this.#due].map(([browserId, minutes]) => ({ browserId, minutes }));
    this.#due.clear();
    await this.#browsers.charge(batch);
  }

  async #openOne(): Promise<SimulatedBrowser> {
    const openedAt = new Date(this.#startMs + this.#nowS * 1000);
    const id = `br_${toTimeOrderedId(openedAt, randomBytes(16))}`;
    const accountId = this.#accountIds[Math.floor(this.#random() * this.#accountIds.length)] ?? "";
    const period = openedAt.toISOString().slice(0, 7);
    const facts = {
      version: 0,
      kind: "chromium",
      isHeadless: true,
      tags: [],
      label: "crawl of shop 1",
      requestedAt: openedAt,
    } as const;
    const refusal = await this.#browsers.reserve({ browserId: id, accountId, period, ...facts }, UNLIMITED);
    if (refusal !== undefined) throw new Error(`The store rejected a browser: ${JSON.stringify(refusal)}`);
    await this.#browsers.commitOpen(id, `ws://127.0.0.1:8080/devtools/browser/${id}`, openedAt);
    return { id, openedS: this.#nowS };
  }

  async #close({ id }: SimulatedBrowser, minutes: number): Promise<undefined> {
    const at = new Date(this.#startMs + this.#nowS * 1000 - 1);
    const traffic = { sent: 100_000, received: 5_000_000 };
    await this.#browsers.close(id, { at, reason: "requested", minutes, keepOpenMs: 30_000, traffic });
  }
}
