import type { IncomingMessage } from "node:http";
import { toOurPath, withoutPrefix } from "../../contract/path.ts";
import { DEVTOOLS_PATH } from "../../domain/browser/address.ts";
import { DESKTOP_PATH } from "../../domain/browser/desktop.ts";
import { type Refused, refuse, type UpgradeRefusal } from "./refusal.ts";

/** The destination in an upgrade request's path. The key is secret. */
export type Destination = { readonly is: "devtools" | "desktop"; readonly key: string };

const PATHS = [
  { is: "devtools", pattern: new RegExp(`^${DEVTOOLS_PATH}(?<key>[^/]+)/?$`) },
  { is: "desktop", pattern: new RegExp(`^${DESKTOP_PATH}(?<key>[^/]+)/rfb/?$`) },
] as const;

const WEBSOCKET_HEADERS = { Upgrade: "websocket", "Sec-WebSocket-Version": "13" };

/**
 * The `shouldUpgradeCallback` for Node's `http.createServer`. Without it, Node treats every request with an `Upgrade`
 * header as an upgrade, including ordinary requests from Java's HTTP client, which sends `Upgrade: h2c`.
 */
export function isWebSocketUpgrade(request: IncomingMessage): boolean {
  const tokens = request.headers.upgrade?.split(",") ?? [];
  return tokens.some((token) => token.trim().toLowerCase() === "websocket");
}

/**
 * Returns whether a request has several Host headers (RFC 9112, 3.2): a proxy may use a different one than this server.
 */
export function hasSeveralHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  return hosts > 1;
}

export const SEVERAL_HOSTS = "The request has several Host headers: send one.";

/** go-rod sends this value instead of a random key, and Chromium accepts it. */
const GO_ROD_KEY = "nil";

/** Parses an upgrade request. @returns The destination, or a refusal. */
export function readUpgrade(request: IncomingMessage, pathPrefix: string): Destination | Refused {
  if (hasSeveralHosts(request)) return refuse(badRequest(SEVERAL_HOSTS));
  const destination = readDestination(request.url ?? "", pathPrefix);
  if (destination === undefined) return refuse(NO_WEBSOCKET);
  const wrong = checkHandshake(request);
  return wrong ? refuse(wrong) : destination;
}

/** Parses a path, with or without the deployment's path prefix. @returns Undefined if the path accepts no upgrades. */
export function readDestination(url: string, pathPrefix: string): Destination | undefined {
  const path = url.split(/[?#]/, 1)[0] ?? "";
  const ours = toOurPath(withoutPrefix(path, pathPrefix));
  for (const { is, pattern } of PATHS) {
    const key = pattern.exec(ours)?.groups?.["key"];
    if (key !== undefined) return { is, key };
  }
  return undefined;
}

/** Checks a client's opening handshake (RFC 6455, section 4.2.1). */
function checkHandshake(request: IncomingMessage): UpgradeRefusal | undefined {
  if (!isWebSocketUpgrade(request)) {
    return upgradeRequired("This path accepts WebSocket connections only: send `Upgrade: websocket`.");
  }
  const version = request.headers["sec-websocket-version"];
  if (version !== "13") {
    return upgradeRequired(`Sec-WebSocket-Version must be 13, not ${JSON.stringify(version ?? null)}.`);
  }
  if (request.method !== "GET" || request.httpVersion !== "1.1") {
    return badRequest(
      `A WebSocket handshake must be a GET over HTTP/1.1, not ${request.method} over HTTP/${request.httpVersion}.`,
    );
  }
  const key = request.headers["sec-websocket-key"];
  if (!/^[\w+/]{22}==$/.test(key ?? "") && key !== GO_ROD_KEY) {
    return badRequest("Sec-WebSocket-Key must be 16 bytes in base64.");
  }
  if (request.headers.host === undefined) return badRequest("The Host header is missing.");
  return undefined;
}

function badRequest(message: string): UpgradeRefusal {
  return { status: 400, name: "BadRequest", message };
}

function upgradeRequired(message: string): UpgradeRefusal {
  return { status: 426, name: "UpgradeRequired", message, headers: WEBSOCKET_HEADERS };
}

const NO_WEBSOCKET: UpgradeRefusal = {
  status: 404,
  name: "NotFound",
  message: "This path doesn't accept WebSocket connections.",
};
