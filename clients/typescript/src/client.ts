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

/** The browsers for `closeAll` to close: browsers with a label, browsers with a tag, or all browsers. */
export type Selection =
  | { readonly label: string; readonly tag?: never; readonly all?: never }
  | { readonly tag: string; readonly label?: never; readonly all?: never }
  | { readonly all: true; readonly label?: never; readonly tag?: never };

/** A client for one account of a Remote Browser Service. Supports concurrent calls and doesn't have to be closed. */
export class RemoteBrowserClient {
  readonly #service: Service;

  /** @throws {TypeError} If a setting is missing, invalid or unknown. */
  constructor(settings: ClientSettings = {}) {
    const read = readSettings(settings);
    this.#service = { call: createCall(read), longestWaitS: longestWaitS(read.timeoutMs) };
  }

  /**
   * Opens a browser, and resolves when the browser is ready for its first DevTools command.
   *
   * If the response is lost, the client repeats the request, and the service still opens only one browser. With
   * contract version 1.0, the call fails instead, because the service may have opened the browser. `waitForPlace`
   * extends the timeout of each attempt.
   *
   * If you abort the signal, the service closes the browser. With contract version 1.1, the service waits 30 seconds
   * before it closes the browser, because the request can be repeated until then.
   * @throws {NoUnitsError | BrowserLimitError | BrowserUnavailableError} Or another subclass of `ApiError`.
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
   * Returns a handle without sending a request. Pass the address of an open browser, or an object with the `id` of an
   * open or ended browser, such as a record from `history()`.
   * @throws {TypeError} If the address or id is empty.
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
   * Iterates over open browsers, most recently opened first, and then over ended browsers, most recently ended first.
   * The client requests pages while you iterate. With contract version 1.0, iterating throws a `NotFoundError`.
   */
  async *history(options: HistoryOptions = {}, call: CallOptions = {}): AsyncGenerator<BrowserRecord, void, undefined> {
    const body = toWire(HISTORY_OPTIONS, options);
    let cursor: string | null = null;
    do {
      const page: AnswerOf<"getBrowserHistory"> = await this.#service.call(
        "getBrowserHistory",
        { ...body, cursor },
        call,
      );
      for (const record of page.browsers) yield toBrowserRecord(record);
      cursor = page.next;
    } while (cursor !== null);
  }

  /**
   * Closes the account's open browsers that have a label or a tag, or all its open browsers. Browsers that are being
   * opened during the call may remain open. Requires contract version 1.1.
   * @returns The number of browsers that the last attempt closed.
   */
  async closeAll(selection: Selection, call: CallOptions = {}): Promise<number> {
    return (await this.#service.call("closeAllBrowsers", selection, call)).closed;
  }

  /** Returns the account's plan, limits and usage this month. Requires contract version 1.1. */
  async account(call: CallOptions = {}): Promise<AccountInfo> {
    return toAccountInfo(await this.#service.call("getAccount", undefined, call));
  }

  /**
   * Queries a language model about an HTML document of up to 4 MiB.
   * @returns Text by default. With `"json"`, JSON whose structure depends on the prompt. With a schema, a typed value
   * that matches the schema.
   * @throws {InvalidAnswerError} If the value doesn't match the schema.
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

/** JavaScript callers may pass undefined. */
function given(what: "address" | "id", text: unknown): string {
  if (typeof text === "string" && text.trim() !== "") return text;
  throw new TypeError(`\`${what}\` is empty: pass an ${what} from \`open\` or \`list\`.`);
}
