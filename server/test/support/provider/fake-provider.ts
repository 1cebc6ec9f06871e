import { once } from "node:events";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { until } from "../until.ts";

/** A request that the provider received. */
type ProviderRequest = {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: ProviderRequestBody;
  /** Whether the connection was closed before the response was complete. */
  readonly isAbandoned: boolean;
};

export type ProviderRequestBody = {
  readonly model: string;
  readonly max_tokens: number;
  readonly stream: boolean;
  readonly system: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly output_config?: { readonly format: { readonly type: string; readonly schema: Record<string, unknown> } };
};

/** Responds to a request. Resolves when the whole response has been written. */
export type Reaction = (response: ServerResponse, body: ProviderRequestBody) => void | Promise<void>;

/** A fake of Anthropic's Messages API on 127.0.0.1, whose responses the test chooses. */
export type FakeProvider = AsyncDisposable & {
  readonly url: string;
  readonly requests: readonly ProviderRequest[];
  /** The number of requests whose response is incomplete. */
  readonly pending: number;
  /** The maximum of `pending` so far. */
  readonly maxPending: number;
  resetMaxPending(): void;
  /** Sets the reactions to the next requests, in order. The last reaction repeats. */
  react(...reactions: readonly Reaction[]): void;
  /** Waits until `count` requests have arrived in total. */
  untilRequests(count: number): Promise<void>;
};

export async function openFakeProvider(): Promise<FakeProvider> {
  const requests: ProviderRequest[] = [];
  let [pending, maxPending] = [0, 0];
  let reactions: Reaction[] = [];
  const server = createServer((request, response) => void handle(request, response));
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    pending += 1;
    maxPending = Math.max(maxPending, pending);
    const one = { path: request.url ?? "", headers: request.headers, isAbandoned: false };
    response.once("close", () => {
      pending -= 1;
      one.isAbandoned = !response.writableFinished;
    });
    const body = (await json(request)) as ProviderRequestBody;
    requests.push(Object.assign(one, { body }));
    const reaction = reactions.length > 1 ? reactions.shift() : reactions[0];
    await reaction?.(response, body);
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    get maxPending() {
      return maxPending;
    },
    get pending() {
      return pending;
    },
    resetMaxPending() {
      maxPending = pending;
    },
    react(...given) {
      reactions = [...given];
    },
    async untilRequests(count) {
      await until(
        () => requests.length,
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
