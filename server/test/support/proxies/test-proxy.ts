import { once } from "node:events";
import { createServer, type IncomingMessage, request as newRequest, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";

/** An HTTP proxy that connects to this machine instead of the target host. Disposing stops the proxy. */
export type TestProxy = AsyncDisposable & {
  readonly port: number;
  /** Each request's `user:password`. */
  readonly logins: readonly string[];
  /** Each request's method, target host and port. */
  readonly targets: readonly string[];
};

type Options = {
  /** The address to listen on. Default: 127.0.0.1. */
  readonly host?: string;
  /** Turns the proxy into an HTTPS proxy. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** A target host that the proxy refuses with 403. */
  readonly forbidden?: string;
};

/** @param login The only `user:password` that the proxy accepts. Default: any. */
export async function openProxy(login?: string, { host, tls, forbidden }: Options = {}): Promise<TestProxy> {
  const logins: string[] = [];
  const targets: string[] = [];
  const sockets = new Set<Socket>();

  /** Records a request. @returns The status of the error response; undefined if the request is allowed. */
  const check = (request: IncomingMessage, { hostname, port }: URL): number | undefined => {
    const given = Buffer.from(
      request.headers["proxy-authorization"]?.slice("Basic ".length) ?? "",
      "base64",
    ).toString();
    logins.push(given === "" ? ":" : given);
    targets.push(`${request.method} ${hostname}:${port}`);
    if (login !== undefined && given !== login) return 407;
    return hostname === forbidden ? 403 : undefined;
  };

  const onRequest: RequestListener = (request, response) => {
    const url = new URL(request.url ?? "");
    const refused = check(request, url);
    if (refused !== undefined) return void response.writeHead(refused).end();
    const { connection: _hop, "proxy-authorization": _login, ...headers } = request.headers;
    const { port, pathname, search } = url;
    const onward = newRequest({ port, host: "127.0.0.1", method: request.method, path: pathname + search, headers });
    onward.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    response.once("close", () => onward.destroy());
    request.pipe(onward);
  };

  const onConnect = (request: IncomingMessage, client: Socket): void => {
    const url = new URL(`connect://${request.url}`);
    const refused = check(request, url);
    if (refused !== undefined) return void client.end(`HTTP/1.1 ${refused} No\r\nContent-Length: 0\r\n\r\n`);
    const target = connect({ host: "127.0.0.1", port: Number(url.port) }, () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      client.pipe(target).pipe(client);
    });
    target.on("error", () => client.destroy()).once("close", () => client.destroy());
    client.once("close", () => target.destroy());
  };

  const server = tls === undefined ? createServer(onRequest) : createTlsServer(tls, onRequest);
  server.on("connect", (request) => onConnect(request, request.socket));
  server.on(tls === undefined ? "connection" : "secureConnection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).once("close", () => sockets.delete(socket));
  });
  server.listen(0, host ?? "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    logins,
    targets,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
