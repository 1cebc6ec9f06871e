import { operations, type OperationId } from "@remote-browser/contract/operations";
import type { Context } from "hono";
import { Failure } from "../domain/failure.ts";
import { type Authenticate, readAccount } from "./authentication.ts";
import { toBase } from "../contract/base.ts";
import { discardBody, readJson } from "./body.ts";
import { CallerGone } from "./errors.ts";
import { inTime, MAX_BODY_MS } from "./in-time.ts";
import type { Answer, Call, Handlers } from "../contract/operation.ts";
import type { RateCheck } from "./rate.ts";
import type { ServiceApp } from "./service.ts";
import { bodyReader } from "../contract/validation.ts";

export type ContractOptions = {
  readonly authenticate: Authenticate;
  /** Undefined: calls are not limited. */
  readonly checkRate: RateCheck | undefined;
  readonly publicUrl: URL | undefined;
  /** Before an operation's body is read: waits for the place that its work needs, which is given back after the answer. */
  readonly waitForPlace: { readonly [Id in OperationId]?: (signal: AbortSignal) => Promise<Disposable> };
  readonly after: (delayMs: number, call: () => void) => () => void;
};

/**
 * Puts the contract's operations on an app: each path, its method, then the checks in the contract's order (401, 429,
 * 413, 415, 400), then the operation's handler.
 */
export function mountContract(app: ServiceApp, handlers: Handlers, options: ContractOptions): void {
  const reader = bodyReader();
  const run = <Id extends OperationId>(id: Id, call: Call<Id>): Promise<Answer<Id>> => handlers[id](call);

  for (const id of Object.keys(operations) as OperationId[]) {
    const { method, path, maxBodyBytes } = operations[id];

    app.on(method.toUpperCase(), path, async (c) => {
      const account = await readAccount(c.req.header("authorization"), options.authenticate);
      await options.checkRate?.(account);
      try {
        using place = await options.waitForPlace[id]?.(c.req.raw.signal).catch(async (refused: unknown) => {
          await discardBody(c.req.raw, maxBodyBytes ?? 0);
          throw refused;
        });
        const reading = maxBodyBytes === null ? undefined : readJson(c.req.raw, maxBodyBytes);
        const json = await (place && reading ? inTime(reading, options.after, tooSlow) : reading);
        const sent = maxBodyBytes === null ? undefined : orAbsent(id, json);
        const body = reader.read(id, sent);
        const call = {
          account,
          body,
          // Each costs more than the rest of a small call, and most operations ask for neither.
          get base() {
            return toBase(c.req.url, options.publicUrl);
          },
          get signal() {
            return c.req.raw.signal;
          },
        };
        const answer = await run(id, call).catch((error: unknown) => {
          throw error instanceof Failure ? reader.toSender(sent, id, error) : error;
        });
        return c.json(answer.body, answer.status);
      } catch (error) {
        if (c.req.raw.signal.aborted) throw new CallerGone("The caller has left.", { cause: error });
        throw error;
      }
    });

    app.all(path, (c) => {
      throw methodNotAllowed(c, method.toUpperCase());
    });
  }
}

/** A place is held while it is read, and others wait for that. */
function tooSlow(): Failure {
  const message = `did not arrive within ${MAX_BODY_MS / 1000} s`;
  return new Failure("BadRequest", `The body ${message}.`, { errors: [{ path: "", message }] });
}

/** No body, and a literal null, are no options where the contract demands no body. */
function orAbsent(id: OperationId, sent: unknown): unknown {
  if (!operations[id].isBodyRequired) return sent ?? {};
  if (sent !== undefined) return sent;
  const message = "The body is missing: send a JSON object.";
  throw new Failure("BadRequest", message, { errors: [{ path: "", message: "is missing" }] });
}

function methodNotAllowed(c: Context, allowed: string): Failure {
  c.header("Allow", allowed === "GET" ? "GET, HEAD" : allowed);
  return new Failure("MethodNotAllowed", `${c.req.path} answers ${allowed}, not ${c.req.method}.`);
}
