import type { StandardSchemaV1 } from "@standard-schema/spec";
import { type Call, type CallOptions, createCall } from "./call.ts";
import type { OpenOptions } from "./generated/options.ts";
import { RemoteBrowser } from "./remote-browser.ts";
import { type JsonSchema, type ResultFormat, type TypedSchema, readResult, writeFormat } from "./result-format.ts";
import { type Session, toSession } from "./session.ts";
import { type ClientSettings, readSettings } from "./settings.ts";
import { toWire } from "./wire-options.ts";

/**
 * Opens browsers on a Remote Browser Service. A client can make any number of concurrent calls. It holds no resources,
 * so you don't have to close it.
 */
export class RemoteBrowserClient {
  readonly #call: Call;

  /** @throws {TypeError} When a setting is missing, wrong or unknown. */
  constructor(settings: ClientSettings = {}) {
    this.#call = createCall(readSettings(settings));
  }

  /**
   * Opens a browser. If you abort the signal, the service closes a browser that is already starting.
   * @throws {NoUnitsError | BrowserLimitError | BrowserUnavailableError} And other subclasses of `ApiError`.
   */
  async open(options: OpenOptions = {}, call: CallOptions = {}): Promise<RemoteBrowser> {
    const { address } = await this.#call("openBrowser", toWire(options), call);
    return new RemoteBrowser(address, this.#call);
  }

  /** Lists the account's open browsers, oldest first. */
  async list(call: CallOptions = {}): Promise<Session[]> {
    const { sessions } = await this.#call("getBrowsers", undefined, call);
    return sessions.map(toSession);
  }

  /**
   * Returns a handle for an open browser from its address, which comes from `list()` or from another program. Sends
   * nothing.
   * @throws {TypeError} When the address is empty.
   */
  browser(address: string): RemoteBrowser {
    // Programs without types may pass undefined.
    if (typeof address !== "string" || address.trim() === "") {
      throw new TypeError("`address` is empty: pass an address from `open` or `list`.");
    }
    return new RemoteBrowser(address, this.#call);
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
    const answer = await this.#call("queryAi", { html, prompt, responseFormat: writeFormat(format) }, call);
    return readResult(format, answer);
  }
}
