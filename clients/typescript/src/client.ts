import type { StandardSchemaV1 } from "@standard-schema/spec";
import { type Call, type CallOptions, createCall } from "./call.ts";
import type { OpenOptions } from "./generated/options.ts";
import { RemoteBrowser } from "./remote-browser.ts";
import { type JsonSchema, type ResultFormat, type TypedSchema, readResult, writeFormat } from "./result-format.ts";
import { type Session, toSession } from "./session.ts";
import { type ClientSettings, readSettings } from "./settings.ts";
import { toWire } from "./wire-options.ts";

/** Opens browsers on a Remote Browser Service. One client serves any number of calls at once, and holds nothing open. */
export class RemoteBrowserClient {
  readonly #call: Call;

  /** @throws {TypeError} When a setting is missing, wrong or unknown. */
  constructor(settings: ClientSettings = {}) {
    this.#call = createCall(readSettings(settings));
  }

  /**
   * Opens a browser. Aborting the signal undoes what has begun.
   * @throws {NoUnitsError | BrowserLimitError | BrowserUnavailableError} And others of the family `ApiError`.
   */
  async open(options: OpenOptions = {}, call: CallOptions = {}): Promise<RemoteBrowser> {
    const { address } = await this.#call("openBrowser", toWire(options), call);
    return new RemoteBrowser(address, this.#call);
  }

  /** The account's open browsers, those that were opened first coming first. */
  async list(call: CallOptions = {}): Promise<Session[]> {
    const { sessions } = await this.#call("getBrowsers", undefined, call);
    return sessions.map(toSession);
  }

  /**
   * A browser that is open already, by its address from `list()` or another program; nothing is sent.
   * @throws {TypeError} When the address is empty.
   */
  browser(address: string): RemoteBrowser {
    // Programs without types may pass what is undefined.
    if (typeof address !== "string" || address.trim() === "") {
      throw new TypeError("`address` is empty: pass the one that `open` or `list` gave.");
    }
    return new RemoteBrowser(address, this.#call);
  }

  /**
   * Asks a language model about an HTML document, of at most 4 MiB: for text; with `"json"` for JSON of whatever shape
   * suits; with a schema for JSON of that shape, checked and typed.
   * @throws {InvalidAnswerError} When the answer is not what the schema takes.
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
