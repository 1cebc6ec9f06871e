import type { ServerResponse } from "node:http";
import { forServing } from "@remote-browser/contract/for-serving";
import contract from "@remote-browser/contract/openapi.json" with { type: "json" };
import { operations, type OperationId } from "@remote-browser/contract/operations";
import type { Context } from "hono";
import type { Answer, Call, Handlers, RequestBody } from "../contract/operation.ts";
import { toBaseUrl } from "../contract/path.ts";
import { bodyReader } from "../contract/validation.ts";
import type { Account } from "../domain/account/account.ts";
import { Failure, type UnavailableName } from "../domain/failure.ts";
import type { Clock } from "../ports/clock.ts";
import { orStoreFailure, toStoreFailure } from "../services/store/store-failure.ts";
import { waitForStore } from "../services/store/store-wait.ts";
import { type ServiceApp, setAccount } from "./app.ts";
import { type Authenticate, readAccount } from "./authentication.ts";
import { discardBody, MAX_BODY_MS, readJson, withBodyTimeout } from "./body.ts";
import { CallerGone } from "./errors.ts";
import type { RateCheck } from "./rate.ts";

type ContractOptions = {
  readonly authenticate: Authenticate;
  /** Undefined if requests are not rate-limited. */
  readonly checkRate: RateCheck | undefined;
  readonly publicUrl: URL | undefined;
  /** What the deployment offers, which the contract that it serves declares. */
  readonly capabilities: (typeof contract)["x-capabilities"];
  /** Checks that a schema can't express. They find further mistakes in a body that the schema rejects. */
  readonly checks?: BodyChecks;
  readonly admission: { readonly [Id in OperationId]?: Admission<Id> };
  readonly clock: Pick<Clock, "after">;
};

export type BodyChecks = { readonly [Id in OperationId]?: (body: RequestBody<Id>) => unknown };

/** Limits an operation's simultaneous requests, because each has a large body in memory. */
export type Admission<Id extends OperationId> = {
  /** Acquires a permit before the body is read. The request holds the permit until the response. */
  readonly acquirePermit: (account: Account, signal: AbortSignal) => Promise<Disposable>;
  /**
   * Acquires a permit to check a request that wasn't granted a permit to run. By contract, content is checked before
   * the operation's own conditions, so the response to an invalid request reports its mistakes.
   */
  readonly acquireCheck: (account: Account, signal: AbortSignal) => Promise<Disposable>;
  /** The operation's own content checks. */
  readonly check: (account: Account, body: RequestBody<Id>, signal: AbortSignal) => Promise<void>;
};

/**
 * Serves the contract and its operations. Each operation runs its checks in the contract's order (401, 429, 413, 415,
 * 400), and then its handler.
 */
export function mountContract(app: ServiceApp, handlers: Handlers, options: ContractOptions): void {
  const reader = bodyReader();
  const run = <Id extends OperationId>(id: Id, call: Call<Id>): Promise<Answer<Id>> => handlers[id](call);

  for (const id of Object.keys(operations) as OperationId[]) {
    const { method, path, maxBodyBytes } = operations[id];
    const unavailableName = toUnavailableName(id);

    app.on(method.toUpperCase(), path, async (c) => {
      c.set("operation", id);
      const authenticate = (): Promise<Account> => readAccount(c.req.header("authorization"), options.authenticate);
      const account = await orStoreFailure(waitForStore(options.clock, authenticate), unavailableName);
      setAccount(c, account.id);
      await options.checkRate?.(account);
      try {
        const admission: Admission<typeof id> | undefined = options.admission[id];
        using admitted = await (admission && admit(admission, account, c.req.raw, maxBodyBytes ?? 0));
        const reading = maxBodyBytes === null ? undefined : readJson(c.req.raw, maxBodyBytes);
        const json = await (admitted && reading ? withBodyTimeout(reading, options.clock, tooSlow) : reading);
        const sent = maxBodyBytes === null ? c.req.query() : orEmpty(id, json);
        const body = reader.read(id, sent, options.checks?.[id]);
        if (admitted?.refusal !== undefined) {
          await admission?.check(account, body, c.req.raw.signal);
          throw admitted.refusal;
        }
        const call = {
          account,
          body,
          header: (name: string) => c.req.header(name),
          // `base` and `signal` are lazy: each costs more than the rest of a small call, and most calls use neither.
          get base() {
            return toBaseUrl(c.req.url, options.publicUrl);
          },
          get signal() {
            return c.req.raw.signal;
          },
          keepUntilWritten: (kept: Disposable) => keepUntilWritten(c.env.outgoing, kept),
        };
        const answer = await run(id, call).catch((thrown: unknown) => {
          const error = toStoreFailure(thrown, unavailableName);
          throw error instanceof Failure ? reader.toSender(sent, id, error) : error;
        });
        if ("body" in answer) return c.json(answer.body, answer.status);
        const headers = { "Content-Type": answer.type, "Cache-Control": "no-store" };
        return c.body(answer.bytes as Uint8Array<ArrayBuffer>, answer.status, headers);
      } catch (error) {
        if (c.req.raw.signal.aborted) throw new CallerGone("The caller has disconnected.", { cause: error });
        throw error;
      }
    });

    app.all(path, (c) => {
      c.set("operation", id);
      throw methodNotAllowed(c, method.toUpperCase());
    });
  }

  const servers = [{ url: options.publicUrl?.href.replace(/\/+$/, "") ?? "/" }];
  const own = { servers, "x-capabilities": options.capabilities };
  mountDocument(app, "/openapi.json", { ...forServing(contract), ...own });
  mountDocument(app, "/openapi.links.json", { ...contract, ...own });
}

function keepUntilWritten(response: ServerResponse, kept: Disposable): void {
  const release = (): void => kept[Symbol.dispose]();
  if (response.closed) release();
  // "prefinish" means that the connection's buffers contain the whole response. It is not emitted if the caller
  // disconnects first.
  else response.once("prefinish", release).once("close", release);
}

/** Serves a document from bytes that all responses share. */
function mountDocument(app: ServiceApp, path: string, document: object): void {
  const bytes = Buffer.from(JSON.stringify(document));
  app.get(path, (c) => c.body(bytes, 200, { "Content-Type": "application/json" }));
}

/** Returns the contract's failure for an operation that is temporarily unavailable. */
function toUnavailableName(id: OperationId): UnavailableName {
  const { failures }: { readonly failures: readonly string[] } = operations[id];
  return failures.includes("BrowserUnavailable") ? "BrowserUnavailable" : "ProviderUnavailable";
}

type Admitted = Disposable & {
  /** The failure to return if the request's content is valid; undefined if the request may run. */
  readonly refusal?: Failure;
};

/** @throws {Error} If the request isn't granted a permit. The body is read first, unless the caller disconnects. */
async function admit<Id extends OperationId>(
  { acquirePermit, acquireCheck }: Admission<Id>,
  account: Account,
  request: Request,
  maxBodyBytes: number,
): Promise<Admitted> {
  try {
    return await acquirePermit(account, request.signal);
  } catch (refusal) {
    if (!(refusal instanceof Failure)) throw refusal;
    try {
      const check = await acquireCheck(account, request.signal);
      return { refusal, [Symbol.dispose]: () => check[Symbol.dispose]() };
    } catch (error) {
      await discardBody(request, maxBodyBytes);
      throw error;
    }
  }
}

function tooSlow(): Failure {
  const message = `did not arrive within ${MAX_BODY_MS / 1000} s`;
  return new Failure("BadRequest", `The body ${message}.`, { errors: [{ path: "", message }] });
}

/** Returns an empty object for a missing or `null` body if the contract requires no body. */
function orEmpty(id: OperationId, sent: unknown): unknown {
  if (!operations[id].isBodyRequired) return sent ?? {};
  if (sent !== undefined) return sent;
  const message = "The body is missing: send a JSON object.";
  throw new Failure("BadRequest", message, { errors: [{ path: "", message: "is missing" }] });
}

function methodNotAllowed(c: Context, allowed: string): Failure {
  c.header("Allow", allowed === "GET" ? "GET, HEAD" : allowed);
  return new Failure("MethodNotAllowed", `${c.req.path} accepts ${allowed}, not ${c.req.method}.`);
}
