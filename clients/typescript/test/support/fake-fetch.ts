import { ERROR_CLASSES } from "../../src/generated/error-classes.ts";

/** How a request ends: with a response, with an error, or not until it is aborted. */
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

/** A `fetch` with scripted reactions, one for each request; the last one repeats. It uses no timers. */
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
    /** The parsed bodies of all requests. */
    async bodies(): Promise<unknown[]> {
      await Promise.all(bodies);
      return sent.map(({ body }) => (body === "" ? undefined : (JSON.parse(body) as unknown)));
    },
  };
}

/** Unlike a real one, this response is read in microtasks only, so that a fake clock doesn't run past it. */
function toResponse({ status, body, headers }: Exclude<Reaction, Error | string>): Response {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = new Response(null, { status, ...(headers !== undefined && { headers }) });
  return Object.defineProperty(response, "text", { value: async () => Promise.resolve(text) });
}

/** A response with an error of the contract. */
export function refusal(name: string, retryAfter?: number): Reaction {
  if (!ERROR_CLASSES.has(name)) throw new Error(`The contract has no error ${name}.`);
  return {
    status: 503,
    body: { status: 503, name, message: "Not now.", requestId: "r1" },
    ...(retryAfter !== undefined && { headers: { "Retry-After": String(retryAfter) } }),
  };
}

/** What Node's `fetch` throws when the connection is refused. */
export function connectionRefused(): Error {
  const cause = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:9"), {
    code: "ECONNREFUSED",
    syscall: "connect",
  });
  return new TypeError("fetch failed", { cause });
}

/** What Node's `fetch` throws when the connection closes before the response. */
export function connectionLost(): Error {
  return new TypeError("fetch failed", {
    cause: Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET" }),
  });
}

export const SESSIONS: Reaction = { status: 200, body: { sessions: [] } };
export const OPENED: Reaction = { status: 200, body: { status: 200, address: "ws://h/devtools/browser/abc" } };
/** What a service of contract version 1.1 responds. */
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
