import { operations, type OperationId } from "@remote-browser/contract/operations";
import type { OpenBrowser, LocalBrowsers, Services } from "../../../server/test/interface.ts";
import { REFERRING } from "../../src/scenario/referring.ts";
import type { Fault, Next } from "../mutant.ts";
import { isFor, onAnswer, onSuccess, readBody, withBody } from "./alter.ts";
import { nameOf } from "./use-cases.ts";

export type Shown = Record<string, unknown>;

/** Alters the record that Info returns. */
export function onInfo(alter: (record: Shown) => Shown): Fault {
  return onSuccess("getBrowserInfo", alter);
}

type ListedSession = { startedOn: unknown; label: unknown; address: string; vncpass: unknown };

/** Alters Get's list. */
export function onSessions(alter: (sessions: readonly ListedSession[]) => unknown): Fault {
  return onSuccess("getBrowsers", (body) => ({ ...body, sessions: alter(body["sessions"] as ListedSession[]) }));
}

/** Alters each entry in the list that Get returns. */
export function onSession(alter: (session: ListedSession) => object): Fault {
  return onSessions((sessions) => sessions.map(alter));
}

/** Alters the records that Info, Update and the history return. */
export function onRecord(alter: (record: Shown) => Shown): Fault {
  return onShown(alter, ["browsers"]);
}

/** Alters the browsers that Get, Info, Update and the history return. @param lists Members that list browsers. */
export function onShown(alter: (shown: Shown) => Shown, lists = ["sessions", "browsers"]): Fault {
  return onAnswer("*", ({ status, body }, request) => {
    if (status !== 200) return {};
    if (isFor(request, "getBrowserInfo") || isFor(request, "updateBrowser")) return { body: alter(body) };
    const list = lists.find((name) => Array.isArray(body[name]));
    return list === undefined ? {} : { body: { ...body, [list]: (body[list] as Shown[]).map(alter) } };
  });
}

export type OperationCall = { readonly request: Request; readonly body: Shown; readonly next: Next };

/** Handles some operations. @param answer Receives the request body, or an empty object if the request has no body. */
export function onOperation(
  id: OperationId | readonly OperationId[],
  answer: (call: OperationCall) => Promise<Response>,
): Fault {
  const ids = typeof id === "string" ? [id] : id;
  return {
    async answer(request, next) {
      const isMeant = ids.some((each) => isFor(request, each));
      if (!isMeant) return next(request);
      const { text, members } = await readBody(request);
      if (text !== "" && members === undefined) return next(withBody(request, text));
      return answer({ request: withBody(request, text), body: members ?? {}, next });
    },
  };
}

/** Alters an operation's successful responses, depending on the request body. */
export function onResult(id: OperationId, alter: (shown: Shown, body: Shown) => object): Fault {
  return onOperation(id, async ({ request, body, next }) => {
    const response = await next(request);
    if (response.status !== 200) return response;
    return Response.json(alter(await read(response), body), { headers: response.headers });
  });
}

/** Changes which browser a request refers to. */
export function onReference(alter: (body: Shown) => Shown): Fault {
  return onOperation(REFERRING, ({ request, body, next }) => next(withBody(request, JSON.stringify(alter(body)))));
}

/** Copies a request, replacing its operation and body. */
export function asking(request: Request, id: OperationId, body: object): Request {
  const { path, method } = operations[id];
  const { headers } = request;
  const other = new Request(new URL(path, request.url), { method: method.toUpperCase(), headers });
  return method === "get" ? other : withBody(other, JSON.stringify(body));
}

export async function read(response: Response): Promise<Shown> {
  return (await response.clone().json()) as Shown;
}

/** Lets a fault access the open browsers. @param make Receives a function that finds a request's browser. */
export function withLocalBrowsers(
  make: (find: (body: Shown) => OpenBrowser | undefined, localBrowsers: () => LocalBrowsers) => Fault,
): Fault {
  let services: Services | undefined;
  const localBrowsers = (): LocalBrowsers => {
    if (services === undefined) throw new Error("The server has not started.");
    return services.localBrowsers;
  };
  const find = ({ id, address }: Shown): OpenBrowser | undefined => {
    const name = nameOf(typeof id === "string" ? { id } : { address: String(address) });
    return [...localBrowsers().all()].find((browser) => name === browser.id || browser.address.includes(name));
  };
  return {
    ...make(find, localBrowsers),
    services(started) {
      services = started;
      return started;
    },
  };
}
