import type { IncomingMessage } from "node:http";
import { DEVTOOLS_PATH } from "../domain/browser/address.ts";
import { DESKTOP_PATH } from "../domain/browser/desktop.ts";
import { toOurPath, withoutPrefix } from "../contract/path.ts";
import { isKnownHost, isOwnOrigin } from "../domain/network/known-host.ts";
import type { UpgradeRefusal } from "./refusal.ts";

const WEBSOCKET_HEADERS = { Upgrade: "websocket", "Sec-WebSocket-Version": "13" };

/**
 * What Node's `http.createServer` takes as `shouldUpgradeCallback`. Without it every request that names an upgrade is
 * taken from the HTTP server, also the `Upgrade: h2c` that Java's client adds to ordinary calls.
 */
export function isWebSocketUpgrade(request: IncomingMessage): boolean {
  const tokens = request.headers.upgrade?.split(",") ?? [];
  return tokens.some((token) => token.trim().toLowerCase() === "websocket");
}

/** What an upgrade wants: a browser's DevTools, or its desktop. The id is a secret. */
export type Destination = { readonly is: "devtools" | "desktop"; readonly id: string };

const PATHS = [
  { is: "devtools", pattern: new RegExp(`^${DEVTOOLS_PATH}(?<id>[^/]+)/?$`) },
  { is: "desktop", pattern: new RegExp(`^${DESKTOP_PATH}(?<id>[^/]+)/rfb/?$`) },
] as const;

/** Where a path leads, with or without the deployment's path prefix; undefined when it leads nowhere. */
export function readDestination(url: string, pathPrefix: string): Destination | undefined {
  const path = url.split(/[?#]/, 1)[0] ?? "";
  const ours = toOurPath(withoutPrefix(path, pathPrefix));
  for (const { is, pattern } of PATHS) {
    const id = pattern.exec(ours)?.groups?.["id"];
    if (id !== undefined) return { is, id };
  }
  return undefined;
}

/** RFC 6455, section 4.2.1: what a client's opening handshake has to be. */
export function checkHandshake(request: IncomingMessage): UpgradeRefusal | undefined {
  if (!isWebSocketUpgrade(request)) {
    return upgradeRequired("This path speaks WebSocket only: send `Upgrade: websocket`.");
  }
  const version = request.headers["sec-websocket-version"];
  if (version !== "13") {
    return upgradeRequired(`Sec-WebSocket-Version has to be 13, but was ${JSON.stringify(version ?? null)}.`);
  }
  if (request.method !== "GET" || request.httpVersion !== "1.1") {
    return badRequest(
      `A WebSocket opens with GET and HTTP/1.1, not ${request.method} and HTTP/${request.httpVersion}.`,
    );
  }
  if (!/^[\w+/]{22}==$/.test(request.headers["sec-websocket-key"] ?? "")) {
    return badRequest("Sec-WebSocket-Key has to be 16 bytes in base64.");
  }
  if (request.headers.host === undefined) return badRequest("The Host header is missing.");
  return undefined;
}

/** A page of another site may not use a browser through the visitor's machine. */
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
    `${JSON.stringify(host)} is no known name of this server; connect to the address as Open returned it, or the operator sets RBS_PUBLIC_URL.`,
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
