/** What a client needs to know of a 101 (RFC 6455, section 4.2.2). */
const PASSED = /^Sec-WebSocket-(?:Accept|Protocol|Extensions): *[\x20-\x7e]*$/i;

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
