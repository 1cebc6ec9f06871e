import { failureStatus } from "@remote-browser/contract/operations";
import type { Context } from "hono";
import { setRequestAccount, withRequest } from "../api/request-context.ts";
import { Failure } from "../domain/failure.ts";
import { setAnswerOwner } from "../gateway/connections/unsent-answers.ts";
import { toWire } from "../domain/wire-values.ts";
import { type CallProof, INTRODUCE } from "../ports/cluster/call-proofs.ts";
import type { Log } from "../ports/log.ts";
import {
  CALL_PATH,
  CALLS_VERSION,
  isCompatible,
  isWorkerCall,
  VERSION_HEADER,
  WORKER_CALLS,
  WORKER_HEADER,
} from "../ports/cluster/worker-call-rules.ts";
import type { WorkerCalls } from "../ports/cluster/worker-calls.ts";
import type { WorkerTarget } from "../ports/browser-client.ts";
import type { ServiceApp, ServiceEnv } from "../api/app.ts";
import { readJson } from "../api/body.ts";
import { CallGuard, type CallGuardOptions } from "./call-guard.ts";
import { readArguments } from "./cluster-arguments.ts";
import { CallerGone } from "../api/errors.ts";

/** Far larger than the body of any Open request, which has at most 64 KiB. */
const MAX_BODY_BYTES = 1024 * 1024;

const REQUEST_ID = /^[\w-]{1,64}$/;

type ClusterOptions = CallGuardOptions & { readonly log: Log };

/** Serves the calls that front-ends make to a worker. */
export function mountCluster(app: ServiceApp, calls: WorkerCalls, { log, ...options }: ClusterOptions): void {
  const guard = new CallGuard(options);

  app.post(`${CALL_PATH}:name`, async (c) => {
    const [name, header] = [c.req.param("name"), c.req.header("authorization")];
    const misdirection = guard.findMisdirection(c.req.header(WORKER_HEADER));
    if (misdirection !== undefined) return c.json({ status: 421, message: misdirection }, 421);
    const version = Number(c.req.header(VERSION_HEADER) ?? 1);
    if (name === INTRODUCE) {
      const introduction = guard.introduce(header);
      checkVersion(version);
      return c.json(introduction);
    }
    const proof = guard.check(name, header, version);
    checkVersion(version);
    // A front-end makes calls for many accounts, whose unread responses must not affect each other.
    setAnswerOwner(c.env.outgoing, c.get("requestId"));
    const sent = c.req.header("x-request-id");
    if (sent === undefined || !REQUEST_ID.test(sent)) return answer(c, name, proof);
    c.set("requestId", sent);
    c.env.outgoing.setHeader("X-Request-Id", sent);
    return withRequest(sent, () => answer(c, name, proof));
  });

  async function answer(c: Context<ServiceEnv>, name: string, proof: CallProof | undefined): Promise<Response> {
    if (!isWorkerCall(name)) throw new Failure("NotFound", "This worker doesn't support this call.");
    const checkBody = (bytes: Uint8Array): void => {
      if (proof !== undefined && options.proofs.hashBody(bytes) !== proof.bodyHash)
        throw new Failure("AuthorizationError", "The proof doesn't match the body.");
    };
    const sent = readArguments(name, await readJson(c.req.raw, MAX_BODY_BYTES, checkBody));
    const account = toAccount(sent);
    if (account !== undefined) setRequestAccount(account);
    const signal = WORKER_CALLS[name].hasSignal ? c.req.raw.signal : undefined;
    try {
      // `WORKER_CALLS` defines which calls take a signal.
      const call = calls[name].bind(calls) as (...given: readonly unknown[]) => Promise<unknown>;
      return c.json(toWire({ is: "done", result: await call(...sent, ...(signal ? [signal] : [])) }));
    } catch (error) {
      if (signal?.aborted === true) throw new CallerGone("The front-end has disconnected.", { cause: error });
      if (!(error instanceof Failure)) throw error;
      const { failure, cause } = error;
      const facts = { requestId: c.get("requestId"), call: name, name: failure };
      // Never send the cause. Don't log the cause of a 4xx either, because it can contain the caller's input.
      if (failureStatus[failure] >= 500 && cause !== undefined) log.error("call.failed", { ...facts, error: cause });
      else log.info("call.refused", facts);
      return c.json(toWire({ is: "failed", failure: error }));
    }
  }
}

type WorkerRouteOptions = {
  /** Finds the worker that runs the browser or desktop at a URL's path and query. */
  readonly findWorker: (uri: string) => WorkerTarget | undefined;
  /** Whether a peer is one of `RBS_TRUSTED_PROXIES`. */
  readonly isProxy: (address: string | undefined) => boolean;
};

/**
 * Adds a route that returns the worker of a browser or desktop to a reverse proxy, so that the proxy can connect
 * clients to the worker directly. Only the proxy itself may use the route, because workers' URLs are internal. Requests
 * that the proxy forwards for clients have an `X-Forwarded-For` header.
 *
 * If no reporting worker is found, the response has no `X-Worker` header. The proxy then sends the client to a
 * front-end, which refuses the client with the reason and logs why.
 */
export function mountWorkerRoute(app: ServiceApp, { findWorker, isProxy }: WorkerRouteOptions): void {
  app.get("/cluster/route", async (c) => {
    if (c.req.header("x-forwarded-for") !== undefined || !isProxy(c.env.incoming.socket.remoteAddress))
      return c.notFound();
    const worker = findWorker(c.req.header("x-original-uri") ?? "");
    if (worker?.isAlive) {
      const isVerified = await worker.verify(c.req.raw.signal).then(
        () => true,
        () => false,
      );
      if (isVerified) c.header("X-Worker", worker.url.origin);
    }
    return c.body(null, 204);
  });
}

/** @throws {Failure} `BadRequest` if a front-end with this version is incompatible with this worker. */
function checkVersion(version: number): void {
  if (isCompatible(version)) return;
  const words = `The front-end makes version ${version} calls, and this worker handles version ${CALLS_VERSION} calls.`;
  throw new Failure("BadRequest", `${words} Versions may differ by one: update servers to each release in between.`);
}

/** Returns the account that a call is made for. The call's first argument is the account, or contains it. */
function toAccount([first]: readonly unknown[]): string | undefined {
  const { id, account = { id } } = (first ?? {}) as {
    readonly id?: string;
    readonly account?: { readonly id?: string };
  };
  return account.id;
}
