import type { IncomingMessage } from "node:http";

type Header = readonly [name: string, value: string];

/** What a client needs to know of a 101 (RFC 6455, section 4.2.2). */
const PASSED = /^Sec-WebSocket-(?:Accept|Protocol|Extensions): *[\x20-\x7e]*$/i;

/** The headers of a message as they were sent. */
export function readHeaders({ rawHeaders }: IncomingMessage): Header[] {
  return rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ""] as const] : []));
}

/** The headers of an upgrade that are repeated to a browser or worker. It sees no credentials, cookies or addresses. */
export function readWebSocketHeaders(request: IncomingMessage): Header[] {
  return readHeaders(request).filter(([name]) => /^sec-websocket-/i.test(name));
}

/**
 * The head of the 101 that a client gets. A browser that its page has taken over can answer with any headers, such as
 * cookies for the host of this server.
 * @param lines The headers that the browser or the worker has sent.
 */
export function toAcceptedHead(lines: readonly string[]): string {
  const passed = lines.filter((line) => PASSED.test(line));
  return ["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade", ...passed, "\r\n"].join(
    "\r\n",
  );
}
