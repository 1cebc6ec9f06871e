import type { Account } from "../../domain/account/account.ts";
import { badRequest, Failure, unavailable } from "../../domain/failure.ts";
import { Mistakes } from "../../domain/mistakes.ts";
import { type ResponseFormat, readResponseFormat } from "../../domain/query/response-format.ts";
import type { Clock } from "../../ports/clock.ts";
import type { LanguageModel, Turn } from "../../ports/language-model.ts";
import type { Log } from "../../ports/log.ts";
import { type Metrics, type Outcome, outcomeOf } from "../../ports/metrics.ts";
import type { PageReducer } from "../../ports/page-reducer.ts";
import type { SchemaChecker } from "../../ports/schema-checker.ts";
import type { Caller } from "../../ports/threads.ts";
import type { ProviderKey } from "../accounts/provider-keys.ts";
import type { TokenBudget } from "./token-budget.ts";
import { readValue, toInstructions, toMessage, toRepairMessage } from "./query-wording.ts";
import { withTimeout } from "../../concurrency/abortable.ts";
import { Semaphore } from "../../concurrency/semaphore.ts";

/** A waiting query holds its connection, but hasn't read its page yet. */
const MAX_WAIT_MS = 15_000;
const WAITING_PER_PERMIT = 8;

export type QueryRequest = {
  readonly html: string;
  readonly prompt: string;
  readonly responseFormat: string | undefined;
};

/** `value` is present only for `json` and schemas. */
type QueryAnswer = { readonly response: string; readonly value?: unknown };

type QueryNeeds = {
  /** The maximum number of running queries. Each query keeps a page of up to 4 MiB in memory. */
  readonly parallel: number;
  /** The maximum number of running queries per account. The remaining capacity is available to other accounts. */
  readonly accountParallel: number;
  readonly model: LanguageModel;
  readonly pages: PageReducer;
  readonly schemas: SchemaChecker;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Creates text that pages can't guess. */
  readonly newMark: () => string;
  /** Returns the provider key for an account's queries; undefined if no key is set. */
  readonly credentialOf: (account: Account) => Promise<ProviderKey | undefined>;
  /** Limits queries that use the deployment's key. */
  readonly budget: Pick<TokenBudget, "check" | "spend">;
  /** The time limit of one query, including a repair. */
  readonly timeoutMs: number;
  /** The maximum combined length of prompt and page, in characters. */
  readonly maxInputChars: number;
};

/**
 * An answer and its format problems: `inValue` for the model, and `inSchema`, which doesn't quote the answer, for the
 * caller.
 */
type CheckedAnswer = QueryAnswer & {
  readonly problems: readonly { readonly inValue: string; readonly inSchema: string }[];
};

/** Answers questions about pages with a language model. */
export class Query {
  readonly #needs: QueryNeeds;
  readonly #permits: Semaphore;
  readonly #checks: Semaphore;

  constructor(needs: QueryNeeds) {
    this.#needs = needs;
    const { parallel, accountParallel, clock } = needs;
    const message = `This server is already running ${parallel} queries, which is its limit.`;
    const limits = {
      limit: parallel,
      perShare: accountParallel,
      maxWaiting: parallel * WAITING_PER_PERMIT,
      maxWaitMs: MAX_WAIT_MS,
      clock,
      onFull: () => unavailable(message, { name: "ProviderUnavailable" }),
    };
    this.#permits = new Semaphore(limits);
    this.#checks = new Semaphore(limits);
  }

  /** The number of running queries, and the number of queries waiting for a permit. */
  get load(): { readonly running: number; readonly waiting: number } {
    const { held, waiting } = this.#permits;
    return { running: held, waiting };
  }

  /**
   * Waits for a permit, which a query needs before its request body is read. Disposing releases the permit.
   * @throws {Failure} `ProviderUnavailable` if the queue is full or slow; `signal.reason` if the caller disconnects.
   */
  async acquirePermit(account: Account, signal: AbortSignal): Promise<Disposable> {
    const report = this.#startTimer();
    try {
      return await this.#permits.acquire(signal, account.id);
    } catch (error) {
      report(outcomeOf(error, signal));
      throw error;
    }
  }

  /**
   * Waits for a permit to check a request that received no permit to run. Disposing releases the permit.
   * @throws {Failure} `ProviderUnavailable` if the queue for checks is full or too slow; `signal.reason` if the caller
   * disconnects.
   */
  acquireCheck(account: Account, signal: AbortSignal): Promise<Disposable> {
    return this.#checks.acquire(signal, account.id);
  }

  /** @throws {Failure} `BadRequest` if the response format is invalid, or the prompt is too long. */
  async check(account: Account, request: QueryRequest, signal: AbortSignal): Promise<void> {
    await this.#inTime(account, signal, (caller) => this.#checkContent(request, caller));
  }

  /**
   * Answers a query.
   * @param signal Cancels the query when the caller disconnects.
   * @throws {Failure} `BadRequest`, `ResponseRefused`, `ProviderError` or `ProviderUnavailable`.
   */
  async ask(account: Account, request: QueryRequest, signal: AbortSignal): Promise<QueryAnswer> {
    const report = this.#startTimer();
    try {
      const answer = await this.#inTime(account, signal, (caller) => this.#ask(account, request, caller));
      report("ok");
      return answer;
    } catch (error) {
      report(outcomeOf(error, signal));
      throw error;
    }
  }

  /** @returns A function that reports the outcome with the elapsed time. */
  #startTimer(): (outcome: Outcome) => void {
    const { clock, metrics } = this.#needs;
    const startedAt = clock.now().getTime();
    return (outcome) => metrics.queryAnswered(outcome, clock.now().getTime() - startedAt);
  }

  async #inTime<Result>(
    account: Account,
    signal: AbortSignal,
    work: (caller: Caller) => Promise<Result>,
  ): Promise<Result> {
    const { clock, timeoutMs } = this.#needs;
    const toError = (): Failure =>
      new Failure("ProviderUnavailable", `The query was not answered within ${timeoutMs / 1000} s.`);
    return withTimeout({ timeoutMs, clock, toError, signal }, (limited) =>
      work({ signal: limited, account: account.id }),
    );
  }

  async #ask(account: Account, request: QueryRequest, caller: Caller): Promise<QueryAnswer> {
    const { model, pages, clock, log, budget, newMark, maxInputChars } = this.#needs;
    const startedAt = clock.now().getTime();
    const format = await this.#checkContent(request, caller);
    const { key, isDeployments } = await this.#credentialOf(account);
    if (isDeployments) await budget.check(account.id);
    const page = await pages.reduce(request.html, maxInputChars - request.prompt.length, caller);
    const turn: Turn = { role: "user", text: toMessage(page, request.prompt, newMark()) };
    const schema = format.kind === "schema" ? format.schema : undefined;
    const question = { instructions: toInstructions(format), schema };
    const onTokens = (tokens: number): void => {
      if (isDeployments) void budget.spend(account.id, tokens);
    };
    const ask = (turns: readonly Turn[]): Promise<string> =>
      model.answer({ ...question, turns }, key, onTokens, caller.signal);
    const first = await this.#check(await ask([turn]), format, caller);
    const isRepaired = first.problems.length > 0;
    const last = isRepaired ? await this.#check(await ask([turn, ...toRepair(first)]), format, caller) : first;
    log.info("query.answered", {
      answerMs: clock.now().getTime() - startedAt,
      pageChars: request.html.length,
      sentChars: page.text.length,
      isRepaired,
      isValid: last.problems.length === 0,
    });
    const { problems, ...answer } = last;
    if (problems.length === 0) return answer;
    const what = problems.map(({ inSchema }) => inSchema).join("; ");
    const message = `The language model's result does not match responseFormat, even after one repair: ${what}.`;
    throw new Failure("ProviderError", message);
  }

  /** Checks the request except for its page, which is checked when it is read. */
  async #checkContent({ prompt, responseFormat }: QueryRequest, caller: Caller): Promise<ResponseFormat> {
    const { maxInputChars } = this.#needs;
    const mistakes = new Mistakes();
    mistakes.attempt(() => {
      if (prompt.length < maxInputChars) return;
      const message = `must have fewer than ${maxInputChars} characters here, not ${prompt.length}`;
      throw badRequest("/prompt", "prompt", message);
    });
    const format = mistakes.attempt(() => readResponseFormat(responseFormat)) ?? { kind: "text" };
    mistakes.throwIfAny();
    if (format.kind === "schema") await this.#needs.schemas.accept(format.schema, caller);
    return format;
  }

  async #credentialOf(account: Account): Promise<ProviderKey> {
    const credential = await this.#needs.credentialOf(account);
    if (credential !== undefined) return credential;
    const message =
      "The language-model provider's key is not set: set one of your own in the web settings, or ask the operator to set ANTHROPIC_API_KEY.";
    throw new Failure("ProviderUnavailable", message);
  }

  async #check(response: string, format: ResponseFormat, caller: Caller): Promise<CheckedAnswer> {
    if (format.kind === "text") return { response, problems: [] };
    const read = readValue(response);
    if (read === undefined) {
      const message = "it is not JSON";
      return { response, problems: [{ inValue: message, inSchema: message }] };
    }
    const { json, value } = read;
    const { schemas } = this.#needs;
    const problems = format.kind === "schema" ? await schemas.findProblems(format.schema, json, caller) : [];
    return { response, value, problems };
  }
}

function toRepair({ response, problems }: CheckedAnswer): readonly Turn[] {
  return [
    { role: "assistant", text: response },
    { role: "user", text: toRepairMessage(problems.map(({ inValue }) => inValue)) },
  ];
}
