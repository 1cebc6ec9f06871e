import { setTimeout as sleep } from "node:timers/promises";
import { type OperationId, operations } from "@remote-browser/contract/operations";
import type { Exchange } from "../target/exchange.ts";
import { type OutgoingRequest, type Target, operationOf } from "../target/target.ts";
import { isWebSocketUrl } from "../target/addresses.ts";
import { describe, toErrorBody } from "./expect.ts";
import { parse, toObject } from "../target/json.ts";
import type { OpenBudget } from "./open-budget.ts";
import type { RunOptions } from "./run-options.ts";
import { NotOffered, Undecidable } from "../target/violation.ts";

/** An element of Get's list. Members may have any type, because the server may be wrong. */
export type ListedBrowser = {
  readonly address: string;
  readonly label: unknown;
  readonly startedOn: unknown;
  readonly vncpass: unknown;
};

export type SendOptions = Partial<Pick<OutgoingRequest, "headers" | "signal" | "isPatient">>;

/** The account's view of the run and its browsers. */
export type Ledger = {
  readonly options: Pick<RunOptions, "token">;
  readonly budget: OpenBudget;
  /** Options of the deployment's cheapest browser, for rules that need any browser. */
  readonly lightest: { readonly Headless: true; readonly Browser?: number };
  /** A KeepOpen, in seconds, longer than any rule. */
  readonly keepOpenS: number;
  /** Whether the address belongs to a browser that was open before the run, even if Open returned the address. */
  isForeign(address: string): boolean;
  newLabel(): string;
  /** Addresses of open browsers, each with the token used to open it. */
  readonly opened: Map<string, string>;
};

const MAX_WAIT_S = 15;
const OPEN_TRIES = 4;
/** If the main account is full, retrying helps, because other rules close their browsers. */
const PLACE_TRIES = 10;
const PLACE_PAUSE_S = 1.5;
/** ChromeHeadlessShell. */
const HEADLESS_KIND = 3;
/** The number of browsers that rules share. */
const SHARED = 3;

/** Calls operations with an account's token, and records opened browsers in the ledger. */
export class Account {
  readonly #ledger: Ledger;
  readonly #target: Target;
  readonly token: string;

  constructor(ledger: Ledger, target: Target, token: string) {
    this.#ledger = ledger;
    this.#target = target;
    this.token = token;
  }

  /**
   * Sends a request with this account's token, unless `headers` contains `Authorization`. With an empty
   * `Authorization`, the header is omitted.
   */
  async raw(request: OutgoingRequest): Promise<Exchange> {
    const { Authorization = `Bearer ${this.token}`, ...others } = request.headers ?? {};
    const authorized = Authorization === "" ? others : { Authorization, ...others };
    const send = (): Promise<Exchange> => this.#target.send({ ...request, headers: authorized });
    const isOpen = operationOf(request.method, request.path) === "openBrowser";
    const exchange = isOpen ? await this.#ledger.budget.spend(send) : await send();
    this.#remember(exchange);
    return exchange;
  }

  /** Calls an operation with a JSON body. Undefined means no body. */
  call(id: OperationId, body?: unknown, sending: SendOptions = {}): Promise<Exchange> {
    const { method, path } = operations[id];
    const headers = { ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...sending.headers };
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    return this.raw({ ...sending, method: method.toUpperCase(), path, headers, ...text });
  }

  /** Opens a browser with exactly these options. Include a run label, so that the run can close the browser. */
  open(options: object, sending?: SendOptions): Promise<Exchange> {
    return this.call("openBrowser", options, sending);
  }

  /**
   * Opens a browser for a rule that does not test Open, with a label and a KeepOpen that outlasts the rule. Waits if
   * the machine (503 with `Retry-After`) or the main account is full.
   * @returns The browser's address.
   * @throws {Undecidable} If the browser can't be opened.
   * @throws {NotOffered} If the deployment has no graphical browsers.
   */
  async openBrowser(options: object = this.#ledger.lightest, sending?: SendOptions): Promise<string> {
    const { keepOpenS, lightest } = this.#ledger;
    const isHeadless = "Headless" in options && options.Headless === true;
    // If the default kind isn't installed, use the one that replaces it, which also has a screen.
    const { Browser } = lightest;
    const usual = isHeadless ? lightest : Browser === undefined || Browser === HEADLESS_KIND ? {} : { Browser };
    const all = { Label: this.#ledger.newLabel(), KeepOpen: keepOpenS, ...usual, ...options };
    let [tries, placeTries] = [1, 1];
    for (;;) {
      const { received } = await this.open(all, sending);
      const { address } = toObject(received.json);
      if (typeof address === "string" && received.status < 300) return this.#expectUsable(address);
      const isPlaceMissing =
        this.token === this.#ledger.options.token && toErrorBody(received.json).name === "BrowserLimit";
      if (isPlaceMissing && placeTries < PLACE_TRIES) {
        placeTries += 1;
        await sleep(PLACE_PAUSE_S * 1000);
        continue;
      }
      if (isPlaceMissing) throw new Undecidable(this.#tellPlaces());
      const retryAfter = received.headers["retry-after"];
      if (received.status === 503 && retryAfter === undefined && !isHeadless) {
        throw new NotOffered("graphical", `Open returned ${describe(received)} without Retry-After.`);
      }
      const waitS = Number(retryAfter);
      if (received.status !== 503 || !(waitS <= MAX_WAIT_S) || tries === OPEN_TRIES) {
        const without = received.status < 300 ? " without an address" : "";
        throw new Undecidable(`Open returned ${describe(received)}${without}, so the rule has no browser to test.`);
      }
      tries += 1;
      await sleep(waitS * 1000);
    }
  }

  /** @throws {Undecidable} If the address can't be used. Other rules check addresses. */
  #expectUsable(address: string): string {
    const isForeign = this.#ledger.isForeign(address);
    if (!isForeign && isWebSocketUrl(address)) return address;
    const what = isForeign ? "the address of a browser that was open before the run" : "no WebSocket URL";
    throw new Undecidable(`Open returned ${what}, so the rule has no browser to test.`);
  }

  #tellPlaces(): string {
    const places = [...this.#ledger.opened.values()].filter((token) => token === this.token).length;
    const advice =
      places > SHARED
        ? `run the suite with --parallel ${places - SHARED}`
        : `use an account that may open ${SHARED + 1} or more`;
    return `The account is full: this run already has ${places} open browsers. To avoid this, ${advice}.`;
  }

  close(address: string): Promise<Exchange> {
    return this.call("closeBrowser", { address });
  }

  startDesktop(address: string): Promise<Exchange> {
    return this.call("startRemoteDesktop", { address });
  }

  stopDesktop(address: string): Promise<Exchange> {
    return this.call("stopRemoteDesktop", { address });
  }

  get(): Promise<Exchange> {
    return this.call("getBrowsers");
  }

  query(body: object): Promise<Exchange> {
    return this.call("queryAi", body);
  }

  /** Lists all browsers that Get returns, not only the run's. @throws {Undecidable} If Get returns no list. */
  async listBrowsers(): Promise<readonly ListedBrowser[]> {
    const { received } = await this.get();
    const { sessions } = toObject(received.json);
    if (!Array.isArray(sessions)) throw new Undecidable(`Get returned ${describe(received)} instead of a list.`);
    return sessions.map((each) => {
      const { address, label, startedOn, vncpass } = toObject(each);
      return { address: String(address), label, startedOn, vncpass };
    });
  }

  /** Returns a browser's entry in Get's list. Undefined if the browser is not listed. */
  async find(address: string): Promise<ListedBrowser | undefined> {
    return (await this.listBrowsers()).find((each) => each.address === address);
  }

  #remember({ operation, sent, received }: Exchange): void {
    if (received.status >= 300) return;
    if (operation === "openBrowser") {
      const { address } = toObject(received.json);
      const [, token = this.token] = /^Bearer (.*)$/.exec(sent.headers["Authorization"] ?? "") ?? [];
      if (typeof address === "string" && !this.#ledger.isForeign(address)) this.#ledger.opened.set(address, token);
    }
    if (operation === "closeBrowser") {
      const { address } = toObject(parse(sent.body ?? ""));
      if (typeof address === "string") this.#ledger.opened.delete(address);
    }
  }
}

/** Sends a request, and retries while the response is 503 with a `Retry-After` of at most 15 seconds. */
export async function sendWithRetries(send: () => Promise<Exchange>, maxTries = OPEN_TRIES): Promise<Exchange> {
  for (let tries = 1; ; tries += 1) {
    const exchange = await send();
    const { status, headers } = exchange.received;
    const waitS = Number(headers["retry-after"]);
    if (status !== 503 || !(waitS <= MAX_WAIT_S) || tries === maxTries) return exchange;
    await sleep(waitS * 1000);
  }
}
