import { once } from "node:events";
import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";

export type HttpAnswer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string };

/** Sends one request on a new connection. */
export async function ask(url: string, body?: string, headers: IncomingHttpHeaders = {}): Promise<HttpAnswer> {
  const sent = request(url, { method: body === undefined ? "GET" : "POST", headers, agent: false });
  sent.end(body);
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, headers: answer.headers, text: await text(answer) };
}

/** A request that may never receive a response. Disposing aborts the request. */
type Begun = AsyncDisposable & {
  /** The text received so far. Undefined until the response headers arrive. */
  received(): string | undefined;
};

export function begin(url: string): Begun {
  const sent = request(url, { agent: false });
  const closed = new Promise<void>((resolve) => sent.once("close", resolve));
  let body: string | undefined;
  sent.on("error", () => {});
  sent.on("response", (answer: IncomingMessage) => {
    body = "";
    answer.on("error", () => {});
    answer.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
  });
  sent.end();
  return {
    received: () => body,
    async [Symbol.asyncDispose]() {
      sent.destroy();
      await closed;
    },
  };
}
