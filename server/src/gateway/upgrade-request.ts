import type { IncomingMessage } from "node:http";

/**
 * The upgrade as the browser gets it. Only what belongs to the WebSocket is passed on, so neither credentials nor
 * cookies nor the client's address reach it. Chromium refuses a `Host` that is not an address or localhost, and an
 * `Origin` it was not told about.
 */
export function toUpgradeRequest(request: IncomingMessage, devtoolsPath: string): string {
  const lines = [`GET ${devtoolsPath} HTTP/1.1`, "Host: 127.0.0.1", "Connection: Upgrade", "Upgrade: websocket"];
  const { rawHeaders } = request;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    if (/^sec-websocket-/i.test(name)) lines.push(`${name}: ${rawHeaders[at + 1] ?? ""}`);
  }
  return `${lines.join("\r\n")}\r\n\r\n`;
}
