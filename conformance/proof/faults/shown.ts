import { operations, type OperationId } from "@remote-browser/contract/operations";
import type { OpenBrowser, LocalBrowsers, Services } from "../../../server/test/interface.ts";
import type { Fault, Next } from "../mutant.ts";
import { isFor, onAnswer, onSuccess, readBody, withBody } from "./alter.ts";
import { nameOf } from "./use-cases.ts";

export type Shown = Record<string, unknown>;

/** Operations on one browser. */
const REFERRING = [
  ...(["closeBrowser", "startRemoteDesktop", "stopRemoteDesktop"] as const),
  ...(["getBrowserInfo", "waitForBrowser", "updateBrowser", "takeScreenshot"] as const),
] satisfies OperationId[];

/** A fault in what Info shows. */
export function onInfo(alter: (record: Shown) => Shown): Fault {
  return onAnswer("getBrowserInfo", ({ status, body }) => (status === 200 ? { body: alter(body) } : {}));
}

export type ListedSession = { startedOn: unknown; label: unknown; address: string; vncpass: unknown };

/** A fault in the list of sessions. */
export function onSessions(alter: (sessions: readonly ListedSession[]) => unknown): Fault {
  return onSuccess("getBrowsers", (body) => ({ ...body, sessions: alter(body["sessions"] as ListedSession[]) }));
}

export function onSession(alter: (session: ListedSession) => object): Fault {
  return onSessions((sessions) => sessions.map(alter));
}

/** A fault in what Info, Update and the history show of a browser. */
export function onRecord(alter: (record: Shown) => Shown): Fault {
  return onAnswer("*", ({ status, body }, request) => {
    if (status !== 200) return {};
    if (isFor(request, "getBrowserInfo") || isFor(request, "updateBrowser")) return { body: alter(body) };
    if (!isFor(request, "getBrowserHistory")) return {};
    return { body: { ...body, browsers: (body["browsers"] as Shown[]).map(alter) } };
  });
}

/** A fault in what Get, Info, Update and the history show of a browser. */
export function onShown(alter: (shown: Shown) => Shown): Fault {
  return onAnswer("*", ({ status, body }, request) => {
    if (status !== 200) return {};
    if (isFor(request, "getBrowserInfo") || isFor(request, "updateBrowser")) return { body: alter(body) };
    const list = ["sessions", "browsers"].find((name) => Array.isArray(body[name]));
    return list === undefined ? {} : { body: { ...body, [list]: (body[list] as Shown[]).map(alter) } };
  });
}

/** A fault in how one operation is answered. @param body The request's body; an empty object if it has none. */
export function onOperation(
  id: OperationId | readonly OperationId[],
  answer: (call: { readonly request: Request; readonly body: Shown; readonly next: Next }) => Promise<Response>,
): Fault {
  const ids = typeof id === "string" ? [id] : id;
  return {
    async answer(request, next) {
      // A refused token must stay refused.
      const isMeant = ids.some((each) => isFor(request, each));
      if (!isMeant) return next(request);
      const { text, json } = await readBody(request);
      const isObject = typeof json === "object" && json !== null && !Array.isArray(json);
      if (text !== "" && !isObject) return next(withBody(request, text));
      return answer({ request: withBody(request, text), body: isObject ? (json as Shown) : {}, next });
    },
  };
}

/** A fault in how operations read which browser is meant. */
export function onReference(alter: (body: Shown) => Shown): Fault {
  return onOperation(REFERRING, ({ request, body, next }) => next(withBody(request, JSON.stringify(alter(body)))));
}

/** The same request for another operation. */
export function asking(request: Request, id: OperationId, body: object): Request {
  const { path, method } = operations[id];
  const { headers } = request;
  const other = new Request(new URL(path, request.url), { method: method.toUpperCase(), headers });
  return method === "get" ? other : withBody(other, JSON.stringify(body));
}

export async function read(response: Response): Promise<Shown> {
  return (await response.clone().json()) as Shown;
}

/** A fault that needs to see the open browsers. @param make Receives how to find the one that a request is about. */
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
