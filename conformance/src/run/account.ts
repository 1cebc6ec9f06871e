import { setTimeout as sleep } from "node:timers/promises";
import { type OperationId, operations } from "@remote-browser/contract/operations";
import type { Exchange } from "../target/exchange.ts";
import { type OutgoingRequest, type Target, operationOf } from "../target/target.ts";
import { parse } from "../target/json.ts";
import { isWebSocketUrl } from "../target/addresses.ts";
import { describe, toErrorBody } from "./expect.ts";
import { toObject } from "../target/json.ts";
import type { OpenBudget } from "./open-budget.ts";
import type { RunOptions } from "./run-options.ts";
import { NotApplicable, Undecidable } from "../registry/violation.ts";

/** An element of Get's list, as far as it has what it should have. */
export type ListedBrowser = {
  readonly address: string;
  readonly label: unknown;
  readonly startedOn: unknown;
  readonly vncpass: unknown;
};

export type SendOptions = Partial<Pick<OutgoingRequest, "headers" | "signal" | "isPatient">>;

/** What a run knows of the browsers that it opens. */
export type Ledger = {
  readonly options: Pick<RunOptions, "token">;
  readonly budget: OpenBudget;
  /** Options of the browser that costs least here, where a rule needs any at all. */
  readonly lightest: { readonly Headless: true; readonly Browser?: number };
  /** How long a browser stays that nobody closes, and that outlasts any rule. */
  readonly keepOpenS: number;
  /** Whether it is the address of a browser that was there before the run, whoever claims to have opened it now. */
  isForeign(address: string): boolean;
  newLabel(): string;
  /** Addresses, and by whose token they were opened, until they are seen closed. */
  readonly opened: Map<string, string>;
};

const MAX_WAIT_S = 15;
const OPEN_TRIES = 4;
/** A place on the main account is waited for, since what this run has open elsewhere there will close. */
const PLACE_TRIES = 10;
const PLACE_PAUSE_S = 1.5;
/** ChromeHeadlessShell. */
const HEADLESS_KIND = 3;
/** Browsers that all rules share. */
const SHARED = 3;

/** Who holds one token, and calls the operations with it. What it opens is remembered in the ledger. */
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
   * Sends a request as it is, with this account's token unless `headers` has an `Authorization` of its own; an empty one
   * is not sent at all.
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

  /** Calls an operation with a JSON body; without one if it is undefined. */
  call(id: OperationId, body?: unknown, sending: SendOptions = {}): Promise<Exchange> {
    const { method, path } = operations[id];
    const headers = { ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...sending.headers };
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    return this.raw({ ...sending, method: method.toUpperCase(), path, headers, ...text });
  }

  /** Opens with just these options. Give it a label of the run's, or a browser that stays open is not known as its own. */
  open(options: object, sending?: SendOptions): Promise<Exchange> {
    return this.call("openBrowser", options, sending);
  }

  /**
   * Opens a browser for a rule that is about something else: labelled, and with a KeepOpen that outlasts the rule.
   * @returns Its address.
   * @throws {Undecidable} When it can't be opened; a full machine (503 with `Retry-After`) is waited for, and on the main
   * account a place.
   * @throws {NotApplicable} When the deployment has no screen for a graphical one.
   */
  async openBrowser(options: object = this.#ledger.lightest): Promise<string> {
    const { keepOpenS, lightest } = this.#ledger;
    const isHeadless = "Headless" in options && options.Headless === true;
    // The kind that is there instead of the default one, should that be missing, has a screen as well.
    const { Browser } = lightest;
    const usual = isHeadless ? lightest : Browser === undefined || Browser === HEADLESS_KIND ? {} : { Browser };
    const all = { Label: this.#ledger.newLabel(), KeepOpen: keepOpenS, ...usual, ...options };
    let [tries, placeTries] = [1, 1];
    for (;;) {
      const { received } = await this.open(all);
      const { address } = toObject(received.json);
      if (typeof address === "string" && received.status < 300) return this.#expectUsable(address);
      const isPlaceMissing = this.token === this.#ledger.options.token && isBrowserLimit(received.json);
      if (isPlaceMissing && placeTries < PLACE_TRIES) {
        placeTries += 1;
        await sleep(PLACE_PAUSE_S * 1000);
        continue;
      }
      if (isPlaceMissing) throw new Undecidable(this.#tellPlaces());
      const retryAfter = received.headers["retry-after"];
      if (received.status === 503 && retryAfter === undefined && !isHeadless) {
        throw new NotApplicable(`The deployment opens no graphical browsers: Open answers ${describe(received)}.`);
      }
      const waitS = Number(retryAfter);
      if (received.status !== 503 || !(waitS <= MAX_WAIT_S) || tries === OPEN_TRIES) {
        const without = received.status < 300 ? " without an address" : "";
        throw new Undecidable(`Open answered ${describe(received)}${without}, so there is no browser to try this on.`);
      }
      tries += 1;
      await sleep(waitS * 1000);
    }
  }

  /** @throws {Undecidable} When nobody could, or may, connect to it, which rules of their own are about. */
  #expectUsable(address: string): string {
    const why = this.#ledger.isForeign(address)
      ? "the address of a browser that was open before the run"
      : isWebSocketUrl(address)
        ? undefined
        : "an address that is no WebSocket URL";
    if (why === undefined) return address;
    throw new Undecidable(`Open gave ${why}, so there is no browser to try this on.`);
  }

  #tellPlaces(): string {
    const places = [...this.#ledger.opened.values()].filter((token) => token === this.token).length;
    const advice =
      places > SHARED ? `run it with --parallel ${places - SHARED}` : `give one that may have ${SHARED + 1} and more`;
    return `The account may have no more than the ${places} browsers open that this run has: ${advice}.`;
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

  /**
   * Every browser that Get lists, also those that are not this run's: use it to look for addresses only.
   * @throws {Undecidable} When it answers no list.
   */
  async listBrowsers(): Promise<readonly ListedBrowser[]> {
    const { received } = await this.get();
    const { sessions } = toObject(received.json);
    // Nothing is missing from a list that was not given.
    if (!Array.isArray(sessions)) throw new Undecidable(`Get answered ${describe(received)}, and no list.`);
    return sessions.map((each) => {
      const { address, label, startedOn, vncpass } = toObject(each);
      return { address: String(address), label, startedOn, vncpass };
    });
  }

  /** What Get says of one browser; undefined when it isn't listed. */
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

function isBrowserLimit(json: unknown): boolean {
  return toErrorBody(json).name === "BrowserLimit";
}
