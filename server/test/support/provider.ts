import { once } from "node:events";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { until } from "./until.ts";

/** What the provider was asked. */
export type Asked = {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: AskedBody;
  /** Whether the connection was closed before the answer ended. */
  readonly isAbandoned: boolean;
};

export type AskedBody = {
  readonly model: string;
  readonly max_tokens: number;
  readonly stream: boolean;
  readonly system: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly output_config?: { readonly format: { readonly type: string; readonly schema: Record<string, unknown> } };
};

/** How the provider takes one request; it resolves when nothing more comes from it. */
export type Reaction = (response: ServerResponse, body: AskedBody) => void | Promise<void>;

/** Anthropic's Messages API on this machine's loopback, as far as it says what a test wants. */
export type Provider = AsyncDisposable & {
  readonly url: string;
  readonly asked: readonly Asked[];
  /** Requests whose connection waits for more of an answer. */
  readonly underWay: number;
  /** The most requests that were under way at once. */
  readonly most: number;
  forgetMost(): void;
  /** How the next requests are taken, one after the other; the last one's way stays. */
  react(...reactions: readonly Reaction[]): void;
  /** Waits for so many requests since the beginning. */
  untilAsked(count: number): Promise<void>;
};

export async function openProvider(): Promise<Provider> {
  const asked: Asked[] = [];
  let [underWay, most] = [0, 0];
  let reactions: Reaction[] = [];
  const server = createServer((request, response) => void take(request, response));
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    underWay += 1;
    most = Math.max(most, underWay);
    const one = { path: request.url ?? "", headers: request.headers, isAbandoned: false };
    response.once("close", () => {
      underWay -= 1;
      one.isAbandoned = !response.writableFinished;
    });
    const body = (await json(request)) as AskedBody;
    asked.push(Object.assign(one, { body }));
    const reaction = reactions.length > 1 ? reactions.shift() : reactions[0];
    await reaction?.(response, body);
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    get most() {
      return most;
    },
    get underWay() {
      return underWay;
    },
    forgetMost() {
      most = underWay;
    },
    react(...given) {
      reactions = [...given];
    },
    async untilAsked(count) {
      await until(
        () => asked.length,
        (length) => length >= count,
      );
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
