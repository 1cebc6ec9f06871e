import { once } from "node:events";
import { connect as connectTcp } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import { operations } from "@remote-browser/contract/operations";
import { toNoAnswer } from "./no-answer.ts";

const CONNECT_MS = 10_000;

/**
 * Sends an Open request and disconnects, by default immediately, before any server can respond.
 * @throws {NoAnswer} If the connection to the server fails.
 */
export async function abandonOpen(
  baseUrl: string,
  headers: Readonly<Record<string, string>>,
  options: object,
  afterMs = 0,
): Promise<void> {
  const url = new URL(`${baseUrl.replace(/\/$/, "")}${operations.openBrowser.path}`);
  const { hostname, protocol, host, pathname } = url;
  const text = JSON.stringify(options);
  const length = String(Buffer.byteLength(text));
  const all = { Host: host, ...headers, "Content-Type": "application/json", "Content-Length": length };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const isSecure = protocol === "https:";
  const port = Number(url.port || (isSecure ? 443 : 80));
  const address = hostname.replace(/^\[(.*)\]$/, "$1");
  const socket = isSecure
    ? connectTls({ host: address, port, servername: hostname })
    : connectTcp({ host: address, port });
  const signal = AbortSignal.timeout(CONNECT_MS);
  try {
    await once(socket, isSecure ? "secureConnect" : "connect", { signal });
    // `node:http` would wait for the event loop, giving the server time to respond.
    socket.on("error", () => {}).write(`POST ${pathname} HTTP/1.1\r\n${head.join("")}\r\n${text}`);
    if (afterMs > 0) await sleep(afterMs);
  } catch (cause) {
    throw toNoAnswer(`POST ${pathname}`, cause);
  } finally {
    socket.destroy();
  }
}
