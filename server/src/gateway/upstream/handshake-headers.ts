import type { IncomingMessage } from "node:http";

type Header = readonly [name: string, value: string];

/** The header lines of a 101 response that the client receives (RFC 6455, section 4.2.2). */
const PASSED = /^Sec-WebSocket-(?:Accept|Protocol|Extensions): *[\x20-\x7e]*$/i;

/** Returns a message's headers as they were sent. */
export function readHeaders({ rawHeaders }: IncomingMessage): Header[] {
  return rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ""] as const] : []));
}

/** Returns the upgrade's headers for a browser or worker, without credentials, cookies or addresses. */
export function readWebSocketHeaders(request: IncomingMessage): Header[] {
  return readHeaders(request).filter(([name]) => /^sec-websocket-/i.test(name));
}

/**
 * Builds the head of the client's 101, with allowed headers only. A compromised browser could send other headers, such
 * as cookies for this server's host.
 * @param lines The header lines that the browser or worker sent.
 */
export function toAcceptedHead(lines: readonly string[]): string {
  const passed = lines.filter((line) => PASSED.test(line));
  return ["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade", ...passed, "\r\n"].join(
    "\r\n",
  );
}
