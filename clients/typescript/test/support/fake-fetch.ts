import { ERROR_CLASSES } from "../../src/generated/error-classes.ts";

/** The outcome of a request: a response, an error, or silence until the request is aborted. */
export type Reaction =
  | { readonly status: number; readonly body: unknown; readonly headers?: Record<string, string> }
  | Error
  | "silence";

type Sent = {
  readonly atMs: number;
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
};

/** Creates a `fetch` with one scripted reaction per request. The last reaction repeats. This `fetch` uses no timers. */
export function fakeFetch(...reactions: [Reaction, ...Reaction[]]) {
  const sent: Sent[] = [];
  const bodies: Promise<unknown>[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    const reaction = reactions.length > 1 ? reactions.shift() : reactions[0];
    const { method, url, headers, signal } = request;
    const entry = { atMs: performance.now(), method, url, headers, body: "" };
    sent.push(entry);
    bodies.push(
      request
        .clone()
        .text()
        .then((body) => Object.assign(entry, { body })),
    );
    if (reaction === "silence") {
      return new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error));
      });
    }
    if (reaction instanceof Error) throw reaction;
    return toResponse(reaction ?? { status: 500, body: "" });
  };
  return {
    fetch,
    sent,
    /** Returns the parsed bodies of all requests. */
    async bodies(): Promise<unknown[]> {
      await Promise.all(bodies);
      return sent.map(({ body }) => (body === "" ? undefined : (JSON.parse(body) as unknown)));
    },
  };
}

/** Creates a response that is read entirely in microtasks, so that a fake clock doesn't advance during the read. */
function toResponse({ status, body, headers }: Exclude<Reaction, Error | string>): Response {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = new Response(null, { status, ...(headers !== undefined && { headers }) });
  return Object.defineProperties(response, {
    text: { value: async () => Promise.resolve(text) },
    arrayBuffer: { value: async () => Promise.resolve(new TextEncoder().encode(text).buffer) },
  });
}

/** Returns a response with one of the contract's errors. */
export function refusal(name: string, retryAfter?: number): Reaction {
  if (!ERROR_CLASSES.has(name)) throw new Error(`The contract has no error ${name}.`);
  return {
    status: 503,
    body: { status: 503, name, message: "Not now.", requestId: "r1" },
    ...(retryAfter !== undefined && { headers: { "Retry-After": String(retryAfter) } }),
  };
}

/** Returns the error that Node's `fetch` throws when the connection is refused. */
export function connectionRefused(): Error {
  const cause = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:9"), {
    code: "ECONNREFUSED",
    syscall: "connect",
  });
  return new TypeError("fetch failed", { cause });
}

/** Returns the error that Node's `fetch` throws when the connection closes before the response. */
export function connectionLost(): Error {
  return new TypeError("fetch failed", {
    cause: Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET" }),
  });
}

export const SESSIONS: Reaction = { status: 200, body: { sessions: [] } };
export const OPENED: Reaction = { status: 200, body: { status: 200, address: "ws://h/devtools/browser/abc" } };
/** The Open response of a service with contract version 1.1. */
export const OPENED_WITH_ID: Reaction = {
  status: 200,
  body: { status: 200, address: "ws://h/devtools/browser/abc", id: "br_01kxm2a7c9rt4bn8swzh3df6g1" },
};
export const ACCOUNT: Reaction = {
  status: 200,
  body: {
    plan: null,
    parallel: null,
    open: 0,
    period: "2026-03",
    unitsUsed: 0,
    unitsLeft: null,
    additionalUnits: false,
    maxLifetime: null,
  },
};
export const CLOSED: Reaction = { status: 200, body: { status: 200 } };
