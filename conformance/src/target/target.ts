import { type OperationId, operations } from "@remote-browser/contract/operations";
import type { Exchange, Received, SentRequest } from "./exchange.ts";
import { Undecidable } from "./violation.ts";
import { sendBodyLater } from "./delayed-body.ts";
import { parse, toObject } from "./json.ts";
import { NoAnswer, toNoAnswer } from "./no-answer.ts";
import type { RateLimiter } from "./rate-limiter.ts";

type TargetOptions = {
  /** Base URL for the contract's paths, which may include a path. */
  readonly baseUrl: URL;
  readonly rateLimiter: RateLimiter;
  /** Response timeout. */
  readonly timeoutMs: number;
  /** Called for every exchange, in order of completion. */
  readonly onExchange: (exchange: Exchange) => void;
};

export type OutgoingRequest = {
  readonly method: string;
  /** A path from the contract, relative to the base URL. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal;
  /** Whether to wait and retry after a 429. Default: true. */
  readonly isPatient?: boolean;
  /** Whether to delay the body, because the server may reject the request without reading it. */
  readonly isBodyDelayed?: boolean;
};

/** Maximum `Retry-After` that the target waits for. */
const MAX_RETRY_AFTER_S = 65;
const MAX_TRIES = 8;
/** Attempts for accounts whose requests fail even after waiting: the request rate is probably not the cause. */
const FEW_TRIES = 2;
const PATIENCE_MS = 180_000;

/** Enough for a list of several thousand browsers. */
const MAX_ANSWER_BYTES = 8 * 2 ** 20;

/** The server kept returning 429, although the client waited for `Retry-After`. */
export class TooManyRequests extends Undecidable {
  readonly exchange: Exchange;

  constructor(message: string, exchange: Exchange) {
    super(message);
    this.exchange = exchange;
  }
}

/** Sends requests to a deployment. */
export class Target {
  readonly #options: TargetOptions;

  constructor(options: TargetOptions) {
    this.#options = options;
  }

  /** @throws {NoAnswer} @throws {TooManyRequests} */
  async send(request: OutgoingRequest): Promise<Exchange> {
    const startedAt = Date.now();
    for (let tries = 1; ; tries += 1) {
      const exchange = await this.#sendOnce(request);
      if (exchange.received.status !== 429 || request.isPatient === false) return exchange;
      const retryAfterS = Number(exchange.received.headers["retry-after"] ?? NaN);
      // A 429 without `Retry-After` is not a rate limit.
      if (!(retryAfterS >= 0)) return exchange;
      const { rateLimiter } = this.#options;
      const maxTries = rateLimiter.hopeless.has(whose(request)) ? FEW_TRIES : MAX_TRIES;
      const isPatienceLeft = tries < maxTries && Date.now() + retryAfterS * 1000 < startedAt + PATIENCE_MS;
      if (!isPatienceLeft || retryAfterS > MAX_RETRY_AFTER_S) {
        rateLimiter.hopeless.add(whose(request));
        const what = `${request.method} ${request.path}`;
        const message = `${what} still returns 429 after waiting for Retry-After. Try a lower --rate.`;
        throw new TooManyRequests(message, exchange);
      }
      // Pause all of the account's requests, because the server would reject them as well.
      rateLimiter.pause(retryAfterS * 1000, whose(request));
    }
  }

  async #sendOnce(request: OutgoingRequest): Promise<Exchange> {
    const { method, path, headers = {}, body, signal, isBodyDelayed = false } = request;
    await this.#options.rateLimiter.waitForTurn(whose(request));
    const url = `${this.#options.baseUrl.href.replace(/\/$/, "")}${path}`;
    const sent: SentRequest = { method, url, headers, body };
    const startedAt = Date.now();
    const asked = operationOf(method, path);
    const received = isBodyDelayed ? await sendBodyLater(sent) : await this.#fetch(sent, path, asked, signal);
    const isMissing =
      asked !== undefined && operations[asked].isPreview && toObject(received.json)["name"] === "NotFound";
    const operation = isMissing ? undefined : asked;
    const exchange = { sent, received, operation, startedAt, endedAt: Date.now() };
    this.#options.onExchange(exchange);
    return exchange;
  }

  async #fetch(
    { method, url, headers, body }: SentRequest,
    path: string,
    operation: OperationId | undefined,
    signal?: AbortSignal,
  ): Promise<Received> {
    const deadline = AbortSignal.timeout(this.#options.timeoutMs);
    try {
      const response = await fetch(url, {
        method,
        headers,
        redirect: "manual",
        signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
        // Send bytes, because fetch adds a Content-Type to strings.
        ...(body === undefined ? {} : { body: Buffer.from(body) }),
      });
      const bytes = await readBytes(response);
      const { status } = response;
      const answered = { status, headers: Object.fromEntries(response.headers) };
      if (operation !== undefined && response.ok && !operations[operation].successTypes.some(isJson)) {
        return { ...answered, text: `(${bytes.length} bytes)`, bytes, json: undefined };
      }
      const text = bytes.toString("utf8");
      return { ...answered, text, json: parse(text) };
    } catch (error) {
      if (error instanceof NoAnswer) throw error;
      signal?.throwIfAborted();
      if (deadline.aborted) {
        const message = `${method} ${path} received no response within ${this.#options.timeoutMs / 1000} s.`;
        throw new NoAnswer(message, { isReached: true, cause: error });
      }
      throw toNoAnswer(`${method} ${path}`, error);
    }
  }
}

function isJson(mediaType: string): boolean {
  return mediaType === "application/json";
}

/** @throws {NoAnswer} If the response is larger than any response in the contract. */
async function readBytes({ body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) {
      const seen = `a response of more than ${MAX_ANSWER_BYTES / 2 ** 20} MiB (the rest was not read)`;
      throw new NoAnswer(seen, { isReached: true, expected: "a response of reasonable size" });
    }
  }
  return Buffer.concat(chunks);
}

function whose({ headers = {} }: OutgoingRequest): string {
  return headers["Authorization"] ?? "";
}

/** Paths are matched case-insensitively. */
export function operationOf(method: string, path: string): OperationId | undefined {
  const [bare = ""] = path.toLowerCase().split("?");
  const ids = Object.keys(operations) as OperationId[];
  return ids.find((id) => operations[id].path.toLowerCase() === bare && operations[id].method === method.toLowerCase());
}
