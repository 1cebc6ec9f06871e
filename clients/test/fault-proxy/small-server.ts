import { once } from "node:events";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A request that reached the server behind the proxy. */
type Seen = {
  readonly method: string;
  readonly url: string;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
  /** Resolves when the connection closes, with or without a response. */
  readonly closed: Promise<unknown>;
};

/** A server behind the proxy. It responds only to paths with a configured JSON response. */
export type SmallServer = AsyncDisposable & {
  readonly url: string;
  readonly seen: readonly Seen[];
  /** Resolves with the next request. */
  next(): Promise<Seen>;
};

export async function openSmallServer(answers: Readonly<Record<string, unknown>>): Promise<SmallServer> {
  const seen: Seen[] = [];
  let waiting = Promise.withResolvers<Seen>();
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "", url = "", headers } = request;
    const closed = once(response, "close");
    const one = { method, url, headers, closed, body: await text(request) };
    seen.push(one);
    waiting.resolve(one);
    waiting = Promise.withResolvers();
    const answer = answers[url];
    if (answer === undefined) return;
    response.writeHead(200, { "content-type": "application/json", "x-request-id": "of-the-server" });
    response.end(JSON.stringify(answer));
  };
  const server = createServer((request, response) => void take(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    next: () => waiting.promise,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
