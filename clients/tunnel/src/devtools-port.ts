import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";
import { refusalOf } from "./caller.ts";
import type { BrowserLink } from "./browser-link.ts";
import { answer, relay } from "./relay.ts";

/** Maximum time for a client to send a complete request, in ms. */
const REQUEST_MS = 10_000;

/** For each path, a function that creates the response body. */
type Answers = Readonly<Record<string, (host: string) => unknown>>;

/**
 * Creates a server that behaves like a Chromium started with --remote-debugging-port: it serves `/json/version`,
 * `/json/list`, and the WebSocket that `/json/version` names.
 * @param url The browser's address.
 * @param id Replaces the key in the browser's address, which is a secret and outlives the tunnel.
 */
export function createDevtoolsPort(link: BrowserLink, url: URL, id: string): Server {
  const path = `/devtools/browser/${id}`;
  const answers: Answers = {
    "/json/version": (host) => describeBrowser(link, `ws://${host}${path}`),
    "/json/list": () => describeTargets(link),
    "/json": () => describeTargets(link),
  };
  const options = {
    headersTimeout: REQUEST_MS,
    requestTimeout: REQUEST_MS,
    connectionsCheckingInterval: REQUEST_MS / 2,
    noDelay: true,
  };
  const server = createServer(options, (request, response) => void respond(answers, request, response));
  server.on("upgrade", (request, client, early) => {
    const refusal = refusalOf(request.headers);
    if (refusal !== undefined) return answer(client, 403, refusal);
    if (request.url !== path) return answer(client, 404, `Only ${path} accepts WebSockets. See /json/version.`);
    relay(request, client, early, url);
  });
  return server;
}

async function respond(answers: Answers, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const say = (status: number, type: string, body: string): void => {
    response.writeHead(status, { "Content-Type": `${type}; charset=UTF-8`, "Content-Length": Buffer.byteLength(body) });
    response.end(body);
  };
  const refusal = refusalOf(request.headers);
  if (refusal !== undefined) return say(403, "text/plain", `${refusal}\n`);
  const [path = ""] = (request.url ?? "").split("?", 1);
  const describe = answers[path.replace(/\/$/, "")];
  if (describe === undefined) {
    const paths = Object.keys(answers).join(", ");
    return say(404, "text/plain", `The paths are ${paths} and the WebSocket of the browser.\n`);
  }
  if (request.method !== "GET" && request.method !== "HEAD") return say(405, "text/plain", "Only GET is allowed.\n");
  try {
    const body = await describe(request.headers.host ?? "");
    say(200, "application/json", `${JSON.stringify(body, undefined, 3)}\n`);
  } catch (error) {
    say(502, "text/plain", `${(error as Error).message}\n`);
  }
}

function describeBrowser({ version }: BrowserLink, webSocketDebuggerUrl: string): object {
  const [, webKit = "537.36"] = /AppleWebKit\/([\d.]+)/.exec(version.userAgent) ?? [];
  return {
    Browser: version.product,
    "File-Path-Style": "posix",
    "Protocol-Version": version.protocolVersion,
    "User-Agent": version.userAgent,
    "V8-Version": version.jsVersion,
    "WebKit-Version": `${webKit} (${version.revision})`,
    webSocketDebuggerUrl,
  };
}

/** Lists the targets without WebSocket URLs. Clients attach to targets over the browser's connection. */
async function describeTargets(link: BrowserLink): Promise<object[]> {
  const targets = await link.targets();
  return targets.map(({ targetId, type, title, url }) => ({ description: "", id: targetId, title, type, url }));
}
