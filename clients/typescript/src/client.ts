import type { StandardSchemaV1 } from "@standard-schema/spec";
import { type AccountInfo, toAccountInfo } from "./account-info.ts";
import { BrowserHandle, type Service } from "./browser-handle.ts";
import { type BrowserRecord, toBrowserRecord } from "./browser-record.ts";
import { type CallOptions, type OpenCallOptions, createCall } from "./call.ts";
import { HISTORY_OPTIONS, type HistoryOptions, OPEN_OPTIONS, type OpenOptions } from "./generated/options.ts";
import { RemoteBrowser } from "./remote-browser.ts";
import { type JsonSchema, type ResultFormat, type TypedSchema, readResult, writeFormat } from "./result-format.ts";
import { type Session, toSession } from "./session.ts";
import { type ClientSettings, readSettings } from "./settings.ts";
import type { AnswerOf } from "./transport.ts";
import { longestWaitS } from "./wait-until-closed.ts";
import { toWire } from "./wire-options.ts";

/** Which browsers `closeAll` closes: those with a label, those that have a tag, or all. */
export type Selection =
  | { readonly label: string; readonly tag?: never; readonly all?: never }
  | { readonly tag: string; readonly label?: never; readonly all?: never }
  | { readonly all: true; readonly label?: never; readonly tag?: never };

/**
 * Opens browsers on a Remote Browser Service. A client can make any number of concurrent calls. It holds no resources,
 * so you don't have to close it.
 */
export class RemoteBrowserClient {
  readonly #service: Service;

  /** @throws {TypeError} When a setting is missing, wrong or unknown. */
  constructor(settings: ClientSettings = {}) {
    const read = readSettings(settings);
    this.#service = { call: createCall(read), longestWaitS: longestWaitS(read.timeoutMs) };
  }

  /**
   * Opens a browser. If you abort the signal, the service closes a browser that is already starting: with contract
   * version 1.1 after 30 seconds, because the request could be repeated until then. If the response is lost, the client
   * sends the request again, and the service still opens only one browser. With contract version 1.0, the call fails
   * instead, because the browser may have been opened. With `waitForPlace`, each attempt may take that much longer than
   * `timeoutMs`.
   * @throws {NoUnitsError | BrowserLimitError | BrowserUnavailableError} And other subclasses of `ApiError`.
   */
  async open(options: OpenOptions = {}, call: OpenCallOptions = {}): Promise<RemoteBrowser> {
    const body = toWire(OPEN_OPTIONS, options);
    const mayWaitMs = Math.max(0, options.waitForPlace ?? 0) * 1000;
    return new RemoteBrowser(await this.#service.call("openBrowser", body, { ...call, mayWaitMs }), this.#service);
  }

  /** Lists the account's open browsers, oldest first. */
  async list(call: CallOptions = {}): Promise<Session[]> {
    const { sessions } = await this.#service.call("getBrowsers", undefined, call);
    return sessions.map((session) => toSession(this.#service, session));
  }

  /**
   * Returns a handle for an open browser from its address, which comes from `list()` or from another program, or for
   * any browser from its id, such as `{ id: "br_…" }` or a record of the history. Sends nothing.
   * @throws {TypeError} When the address or id is empty.
   */
  browser(address: string): RemoteBrowser;
  browser(reference: { readonly id: string }): BrowserHandle;
  browser(reference: string | { readonly id: string }): BrowserHandle {
    if (typeof reference !== "object" || reference === null) {
      return new RemoteBrowser({ address: given("address", reference) }, this.#service);
    }
    return new BrowserHandle({ id: given("id", reference.id) }, this.#service);
  }

  /**
   * Lists open and ended browsers: first the open ones, the last opened first; then the ended ones, the last ended
   * first. The client requests them in parts, as you iterate. Needs contract version 1.1; otherwise, iterating throws a
   * `NotFoundError`.
   */
  async *history(options: HistoryOptions = {}, call: CallOptions = {}): AsyncGenerator<BrowserRecord, void, undefined> {
    const body = toWire(HISTORY_OPTIONS, options);
    let cursor: string | null = null;
    do {
      const part: AnswerOf<"getBrowserHistory"> = await this.#service.call(
        "getBrowserHistory",
        { ...body, cursor },
        call,
      );
      for (const record of part.browsers) yield toBrowserRecord(record);
      cursor = part.next;
    } while (cursor !== null);
  }

  /**
   * Closes the open browsers that have a label or a tag, or all of the account. Browsers that are being opened during
   * the call may stay open. Needs contract version 1.1.
   * @returns How many browsers were closed. After a retry, browsers that earlier attempts closed are not counted.
   */
  async closeAll(selection: Selection, call: CallOptions = {}): Promise<number> {
    return (await this.#service.call("closeAllBrowsers", selection, call)).closed;
  }

  /** Shows the account's plan, its limits, and what it has used in this month. Needs contract version 1.1. */
  async account(call: CallOptions = {}): Promise<AccountInfo> {
    return toAccountInfo(await this.#service.call("getAccount", undefined, call));
  }

  /**
   * Asks a language model about an HTML document of up to 4 MiB. Returns text by default, JSON in a shape that fits the
   * prompt with `"json"`, or with a schema, JSON that is checked against the schema and typed.
   * @throws {InvalidAnswerError} When the value doesn't match the schema.
   */
  async query(html: string, prompt: string, format?: "text", call?: CallOptions): Promise<string>;
  async query<Schema extends TypedSchema>(
    html: string,
    prompt: string,
    schema: Schema,
    call?: CallOptions,
  ): Promise<StandardSchemaV1.InferOutput<Schema>>;
  async query(html: string, prompt: string, format: "json" | JsonSchema, call?: CallOptions): Promise<unknown>;
  async query(html: string, prompt: string, format: ResultFormat = "text", call: CallOptions = {}): Promise<unknown> {
    const answer = await this.#service.call("queryAi", { html, prompt, responseFormat: writeFormat(format) }, call);
    return readResult(format, answer);
  }
}

/** Programs without types may pass undefined. */
function given(what: "address" | "id", text: unknown): string {
  if (typeof text === "string" && text.trim() !== "") return text;
  throw new TypeError(`\`${what}\` is empty: pass an ${what} from \`open\` or \`list\`.`);
}
