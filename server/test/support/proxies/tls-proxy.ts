import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { createServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import type { Duplex } from "node:stream";
import { CERTIFICATE, KEY } from "../../../../clients/tunnel/test/certificate.fixtures.ts";

/** A reverse proxy on localhost that terminates TLS for a server and serves it below a path. */
export type TlsProxy = AsyncDisposable & {
  /** The value for the server's RBS_PUBLIC_URL. */
  readonly publicUrl: string;
  /** Sets the server that receives the requests. */
  setTarget(to: URL): void;
};

/** @param prefix The path prefix, which the proxy keeps when it forwards requests. */
export async function openTlsProxy(prefix: string): Promise<TlsProxy> {
  let target = new URL("http://127.0.0.1:9");
  const streams = new Set<Duplex>();
  const hold = (stream: Duplex): void => {
    streams.add(stream);
    stream.on("error", () => {}).once("close", () => streams.delete(stream));
  };
  const server = createServer({ key: KEY, cert: CERTIFICATE }, (asked, answer) => {
    const { method, url = "", headers } = asked;
    const { hostname, port } = target;
    const passed = request({ hostname, port, method, path: url, headers, agent: false }, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(answer);
    });
    passed.on("error", () => answer.destroy());
    asked.pipe(passed);
  });
  server.on("secureConnection", hold);
  server.on("upgrade", (asked, client, head) => {
    const upstream = connect(Number(target.port), target.hostname);
    hold(upstream);
    upstream.write(toHead(asked));
    upstream.write(head);
    client.pipe(upstream).pipe(client);
    client.once("close", () => upstream.destroy());
    upstream.once("close", () => client.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    publicUrl: `https://localhost:${(server.address() as AddressInfo).port}${prefix}`,
    setTarget(to) {
      target = to;
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      for (const stream of streams) stream.destroy();
      await closed;
    },
  };
}

function toHead({ method, url, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/1.1`];
  for (let at = 0; at < rawHeaders.length; at += 2) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  return `${lines.join("\r\n")}\r\n\r\n`;
}
