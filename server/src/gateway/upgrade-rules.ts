import type { IncomingMessage } from "node:http";
import { isKnownHost, isOwnOrigin } from "../domain/network/known-host.ts";
import type { UpgradeRefusal } from "./upgrade-refusal.ts";

const WEBSOCKET_HEADERS = { Upgrade: "websocket", "Sec-WebSocket-Version": "13" };

/**
 * The `shouldUpgradeCallback` for Node's `http.createServer`. Without it, Node treats every request with an `Upgrade`
 * header as an upgrade, including ordinary calls of Java's HTTP client, which sends `Upgrade: h2c`.
 */
export function isWebSocketUpgrade(request: IncomingMessage): boolean {
  const tokens = request.headers.upgrade?.split(",") ?? [];
  return tokens.some((token) => token.trim().toLowerCase() === "websocket");
}

/** Whether a request has more than one Host header (RFC 9112, section 3.2). A proxy may have used another of them. */
export function hasSeveralHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  return hosts > 1;
}

export const SEVERAL_HOSTS = "The request has several Host headers: send one.";

/** Checks what holds for requests to every path. */
export function checkRequest(request: IncomingMessage): UpgradeRefusal | undefined {
  return hasSeveralHosts(request) ? badRequest(SEVERAL_HOSTS) : undefined;
}

/** go-rod sends this instead of a random key, and Chromium doesn't mind. */
const GO_ROD_KEY = "nil";

/** Checks a client's opening handshake (RFC 6455, section 4.2.1). */
export function checkHandshake(request: IncomingMessage): UpgradeRefusal | undefined {
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

/** Refuses pages of other sites: they could otherwise reach this server through the web browser of one of its users. */
export function checkOrigin(request: IncomingMessage, origins: ReadonlySet<string>): UpgradeRefusal | undefined {
  const { origin, host = "" } = request.headers;
  if (origin === undefined || origins.has(origin) || isOwnOrigin(origin, host)) return undefined;
  return forbidden(
    `Pages of ${JSON.stringify(origin)} may not connect here; the operator can allow them in RBS_ORIGINS.`,
  );
}

export function checkHost(
  request: IncomingMessage,
  known: readonly (string | undefined)[],
): UpgradeRefusal | undefined {
  const { host = "" } = request.headers;
  if (isKnownHost(host, known)) return undefined;
  return forbidden(
    `This server doesn't know the host ${JSON.stringify(host)}: connect to the address exactly as Open returned it, or ask the operator to set RBS_PUBLIC_URL.`,
  );
}

function badRequest(message: string): UpgradeRefusal {
  return { status: 400, name: "BadRequest", message };
}

function forbidden(message: string): UpgradeRefusal {
  return { status: 403, name: "Forbidden", message };
}

function upgradeRequired(message: string): UpgradeRefusal {
  return { status: 426, name: "UpgradeRequired", message, headers: WEBSOCKET_HEADERS };
}
