import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, type RequestListener, type ServerResponse, createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { WebSocketServer } from "ws";
import { CERTIFICATE, KEY } from "../../../../clients/tunnel/test/certificate.fixtures.ts";
import { TITLE } from "./local-site.ts";

const BODY = randomBytes(400_000);

/** A site on loopback with features that proxies can break: compressed and chunked bodies, uploads, WebSockets. */
export type RichSite = AsyncDisposable & { readonly port: number; readonly origin: string };

/** The results of `CHECK` on one of the site's pages. */
export type Findings = {
  /** The response to a WebSocket message. */
  readonly echo: string;
  /** How many of 200 concurrent requests received the correct response. */
  readonly answered: number;
  /** Whether a compressed and chunked body and an upload arrived unchanged. */
  readonly isSameDown: boolean;
  readonly isSameUp: boolean;
};

/** @param isSecure Whether the site uses TLS, with a certificate that browsers don't trust. */
export async function openRichSite({ isSecure = false } = {}): Promise<RichSite> {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { url = "/", method } = request;
    if (url === "/body") {
      response.writeHead(200, { "Content-Encoding": "gzip", "X-Digest": digest(BODY) });
      const packed = gzipSync(BODY);
      for (let at = 0; at < packed.length; at += 50_000) response.write(packed.subarray(at, at + 50_000));
      response.end();
    } else if (method === "POST") {
      response.end(digest(Buffer.concat((await request.toArray()) as Buffer[])));
    } else if (url === "/") {
      response.setHeader("Content-Type", "text/html");
      response.end(`<!doctype html><title>${TITLE}</title>`);
    } else {
      response.end(url);
    }
  };
  const listener: RequestListener = (request, response) => void answer(request, response);
  const server = isSecure ? createTlsServer({ key: KEY, cert: CERTIFICATE }, listener) : createServer(listener);
  const sockets = new WebSocketServer({ server });
  sockets.on("connection", (socket) =>
    socket.on("message", (data: Buffer) => socket.send(`echo of ${data.toString()}`)),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `${isSecure ? "https" : "http"}://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      for (const socket of sockets.clients) socket.terminate();
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function digest(body: Buffer): string {
  return createHash("sha256").update(body).digest("hex");
}

/**
 * A script that runs on one of the site's pages and returns JSON. Digests are computed by the server, because pages
 * can't compute them over http.
 */
export const CHECK = `(async () => {
  const echo = await new Promise((resolve) => {
    const socket = new WebSocket(location.origin.replace("http", "ws") + "/socket");
    socket.onopen = () => socket.send("hello");
    socket.onmessage = ({ data }) => { resolve(data); socket.close(); };
    socket.onerror = () => resolve("none");
  });
  const texts = await Promise.all(
    Array.from({ length: 200 }, (_, at) => fetch("/n/" + at).then((answer) => answer.text()).catch(String)),
  );
  const answered = texts.filter((text, at) => text === "/n/" + at).length;
  const got = await fetch("/body");
  const body = await got.arrayBuffer();
  const uploaded = await fetch("/upload", { method: "POST", body }).then((answer) => answer.text());
  return JSON.stringify({ echo, answered, size: body.byteLength, digest: got.headers.get("x-digest"), uploaded });
})()`;

export function readFindings(json: string): Findings {
  const { echo, answered, size, digest: wanted, uploaded } = JSON.parse(json) as Record<string, unknown>;
  // The page uploads the body that it downloaded, so one digest checks both directions.
  return {
    echo: String(echo),
    answered: Number(answered),
    isSameDown: size === BODY.length,
    isSameUp: uploaded === wanted,
  };
}
