import { type IncomingMessage, type Server, type ServerResponse, createServer, request as send } from "node:http";
import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { sample } from "./sample.ts";

const QUERY = /^\/api\/v1\/ai\/query$/i;

/**
 * Creates a server that passes requests to Prism, which answers Query with text. A query that asks for JSON gets a
 * value of the type that it asks for, unless it prefers an example.
 */
export function newTypedQueries(prism: URL): Server {
  return createServer((request, response) => {
    pass(prism, request, response).catch(() => response.destroy());
  });
}

async function pass(prism: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url = "/", headers } = request;
  const body = await buffer(request);
  const isTyped = method === "POST" && QUERY.test(url) && headers["prefer"] === undefined;
  const typed = isTyped ? toAnswer(body) : undefined;
  const passed = send(new URL(url, prism), { method, headers: { ...headers, host: prism.host } });
  request.once("close", () => passed.destroy());
  passed.end(body);
  const [answer] = (await once(passed, "response")) as [IncomingMessage];
  const { statusCode = 500, headers: answered } = answer;
  if (typed === undefined || statusCode !== 200) {
    response.writeHead(statusCode, answered);
    answer.pipe(response);
    return;
  }
  answer.resume();
  response.writeHead(200, { ...answered, "content-length": Buffer.byteLength(typed) });
  response.end(typed);
}

/** @returns Undefined for a query that gets text. */
function toAnswer(body: Buffer): string | undefined {
  try {
    const { responseFormat } = JSON.parse(body.toString()) as { responseFormat?: string };
    if (responseFormat === undefined || responseFormat === "text") return undefined;
    const value = responseFormat === "json" ? { text: "text" } : sample(JSON.parse(responseFormat));
    return JSON.stringify({ status: 200, response: JSON.stringify(value), value });
  } catch {
    return undefined;
  }
}
