import { type OperationId, operations } from "@remote-browser/contract/operations";
import type { Exchange, Received, SentRequest } from "./exchange.ts";
import { Undecidable } from "../registry/violation.ts";
import { sendBodyLater } from "./delayed-body.ts";
import { parse } from "./json.ts";
import { NoAnswer, toNoAnswer } from "./no-answer.ts";
import type { RateLimiter } from "./rate-limiter.ts";

export type TargetOptions = {
  /** What the paths of the contract come after; it may have a path of its own. */
  readonly baseUrl: URL;
  readonly pace: RateLimiter;
  /** How long an answer may take. */
  readonly timeoutMs: number;
  /** Hears of every exchange, in the order in which they ended. */
  readonly onExchange: (exchange: Exchange) => void;
};

export type OutgoingRequest = {
  readonly method: string;
  /** Below the base URL, as the contract writes it. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal;
  /** Whether a 429 is waited out and the request repeated; true unless a rule is about just that. */
  readonly isPatient?: boolean;
  /** Whether the body follows its head after a pause, for one that the server may not want to have. */
  readonly isBodyDelayed?: boolean;
};

/** Longer than that nobody waits for a place in the queue. */
const MAX_RETRY_AFTER_S = 65;
const MAX_TRIES = 8;
/** For accounts that were refused however long they waited, and so probably for another reason than their rate. */
const FEW_TRIES = 2;
const PATIENCE_MS = 180_000;

/** Lists of thousands of browsers have less. */
const MAX_ANSWER_BYTES = 8 * 2 ** 20;

/** A request was refused with 429 however long it was waited. */
export class TooManyRequests extends Undecidable {
  readonly exchange: Exchange;

  constructor(message: string, exchange: Exchange) {
    super(message);
    this.exchange = exchange;
  }
}

/** A deployment, known by its URL alone. */
export class Target {
  readonly baseUrl: URL;
  readonly #options: TargetOptions;

  constructor(options: TargetOptions) {
    this.#options = options;
    this.baseUrl = options.baseUrl;
  }

  /** @throws {NoAnswer} @throws {TooManyRequests} */
  async send(request: OutgoingRequest): Promise<Exchange> {
    const startedAt = Date.now();
    for (let tries = 1; ; tries += 1) {
      const exchange = await this.#sendOnce(request);
      if (exchange.received.status !== 429 || request.isPatient === false) return exchange;
      const retryAfterS = Number(exchange.received.headers["retry-after"] ?? NaN);
      // Nobody is asked to wait, so this is something else.
      if (!(retryAfterS >= 0)) return exchange;
      const { pace } = this.#options;
      const maxTries = pace.isHopeless(whose(request)) ? FEW_TRIES : MAX_TRIES;
      const isPatienceLeft = tries < maxTries && Date.now() + retryAfterS * 1000 < startedAt + PATIENCE_MS;
      if (!isPatienceLeft || retryAfterS > MAX_RETRY_AFTER_S) {
        pace.markHopeless(whose(request));
        const { method, path } = request;
        throw new TooManyRequests(`${method} ${path} is answered 429 to who waits, too: try a lower --rate.`, exchange);
      }
      // What else this account sends meanwhile would only be refused as well.
      pace.pause(retryAfterS * 1000, whose(request));
    }
  }

  urlOf(path: string): string {
    return `${this.baseUrl.href.replace(/\/$/, "")}${path}`;
  }

  async #sendOnce(request: OutgoingRequest): Promise<Exchange> {
    const { method, path, headers = {}, body, signal, isBodyDelayed = false } = request;
    await this.#options.pace.waitForTurn(whose(request));
    const sent: SentRequest = { method, url: this.urlOf(path), headers, body };
    const startedAt = Date.now();
    const received = isBodyDelayed ? await sendBodyLater(sent) : await this.#fetch(sent, path, signal);
    const exchange = { sent, received, operation: operationOf(method, path), startedAt, endedAt: Date.now() };
    this.#options.onExchange(exchange);
    return exchange;
  }

  async #fetch({ method, url, headers, body }: SentRequest, path: string, signal?: AbortSignal): Promise<Received> {
    const deadline = AbortSignal.timeout(this.#options.timeoutMs);
    try {
      const response = await fetch(url, {
        method,
        headers,
        redirect: "manual",
        signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
        // As bytes: for a string, fetch would send a Content-Type that nobody asked for.
        ...(body === undefined ? {} : { body: Buffer.from(body) }),
      });
      const text = await readText(response);
      return { status: response.status, headers: Object.fromEntries(response.headers), text, json: parse(text) };
    } catch (error) {
      if (error instanceof NoAnswer) throw error;
      signal?.throwIfAborted();
      if (deadline.aborted) {
        const message = `${method} ${path} got no answer in ${this.#options.timeoutMs / 1000} s.`;
        throw new NoAnswer(message, { isReached: true, cause: error });
      }
      throw toNoAnswer(`${method} ${path}`, error);
    }
  }
}

/** @throws {NoAnswer} When it is longer than any answer that the contract describes. */
async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) {
      const seen = `one of more than ${MAX_ANSWER_BYTES / 2 ** 20} MiB, which is as far as it was read`;
      throw new NoAnswer(seen, { isReached: true, expected: "an answer of a bearable length" });
    }
  }
  return Buffer.concat(chunks).toString("utf8");
}

function whose({ headers = {} }: OutgoingRequest): string {
  return headers["Authorization"] ?? "";
}

/** Paths are the same in upper and lower case. */
export function operationOf(method: string, path: string): OperationId | undefined {
  const [bare = ""] = path.toLowerCase().split("?");
  const ids = Object.keys(operations) as OperationId[];
  return ids.find((id) => operations[id].path.toLowerCase() === bare && operations[id].method === method.toLowerCase());
}
