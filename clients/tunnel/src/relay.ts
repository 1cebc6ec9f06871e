import { type IncomingMessage, type OutgoingHttpHeaders, STATUS_CODES, request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { HANDSHAKE_MS, toFailure } from "./connect.ts";
import { letGo, splice } from "./splice.ts";

/** Idle time after which the kernel checks whether the server is alive, in ms. */
const KEEP_ALIVE_MS = 10_000;

/** The handshake headers to forward. All other headers concern the client's connection to this port. */
const PASSED = /^(?:sec-websocket-(?:key|version|extensions|protocol)|user-agent)$/;

/**
 * Connects a client's WebSocket to the server at `url`: repeats the handshake, forwards the response, and then copies
 * bytes.
 * @param early Data that the client sent together with its handshake.
 */
export function relay(handshake: IncomingMessage, client: Duplex, early: Buffer, url: URL): void {
  client.on("error", () => {});
  const send = url.protocol === "wss:" ? requestSecure : requestPlain;
  const upstream = send(toHttp(url), { headers: toHeaders(handshake), agent: false });
  const giveUp = (): void => void upstream.destroy();
  const timer = setTimeout(() => {
    answer(client, 504, `${url.host} did not answer within ${HANDSHAKE_MS / 1000} s.`);
    giveUp();
  }, HANDSHAKE_MS);
  client.once("close", giveUp);
  upstream.once("upgrade", (agreed: IncomingMessage, server: Socket, head: Buffer) => {
    clearTimeout(timer);
    client.off("close", giveUp);
    server.setNoDelay(true);
    server.setKeepAlive(true, KEEP_ALIVE_MS);
    client.write(Buffer.concat([Buffer.from(toHead(agreed), "latin1"), head]));
    if (early.length > 0) server.write(early);
    splice(client, server);
  });
  upstream.once("response", (refusal: IncomingMessage) => {
    clearTimeout(timer);
    client.write(toHead(refusal), "latin1");
    refusal.pipe(client);
    refusal.once("error", () => client.destroy());
    client.once("finish", () => letGo(client));
  });
  upstream.once("error", (error) => {
    clearTimeout(timer);
    if (client.writable) answer(client, 502, toFailure(url, error).message);
  });
  upstream.end();
}

/** Responds to an upgrade request with plain HTTP and closes the connection. */
export function answer(client: Duplex, status: number, text: string): void {
  const body = Buffer.from(`${text}\n`);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    "Content-Type: text/plain; charset=utf-8",
    `Content-Length: ${body.length}`,
    "Connection: close",
  ];
  client.on("error", () => {});
  client.write(Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`, "latin1"), body]));
  letGo(client);
}

function toHttp(url: URL): URL {
  return new URL(`${url.protocol === "wss:" ? "https:" : "http:"}${url.href.slice(url.protocol.length)}`);
}

function toHeaders({ headers }: IncomingMessage): OutgoingHttpHeaders {
  const passed = Object.entries(headers).filter(([name]) => PASSED.test(name));
  return { Connection: "Upgrade", Upgrade: "websocket", ...Object.fromEntries(passed) };
}

/** Renders the head of a response. After a rejection, the connection closes, so chunked encoding isn't necessary. */
function toHead({ statusCode = 502, statusMessage = "", rawHeaders }: IncomingMessage): string {
  const lines: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    const isOfHop = /^(?:connection|keep-alive|transfer-encoding)$/i.test(name);
    if (statusCode === 101 || !isOfHop) lines.push(`${name}: ${rawHeaders[at + 1] ?? ""}\r\n`);
  }
  if (statusCode !== 101) lines.push("Connection: close\r\n");
  return `HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join("")}\r\n`;
}
