import { type IncomingMessage, type Server, type ServerResponse, createServer, request as send } from "node:http";
import { once } from "node:events";
import { buffer } from "node:stream/consumers";

const QUERY = /^\/api\/v1\/ai\/query$/i;

type Schema = { readonly [keyword: string]: unknown };

/** Schemas that are nested deeper than this are assumed to be recursive. */
const MAX_DEPTH = 8;

/** An example value for each `format`. */
const FORMATS: Readonly<Record<string, string>> = {
  date: "2026-03-14",
  "date-time": "2026-03-14T09:26:53Z",
  email: "person@example.com",
  uri: "https://example.com",
};

/**
 * Creates a server that forwards requests to Prism. Prism always returns text for Query, so the server replaces the
 * text with a value of the requested type, unless the request prefers an example. The contract's examples of bytes are
 * in Base64, so the server decodes them.
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
  const areBytes = statusCode === 200 && answered["content-type"] !== "application/json";
  const replaced = areBytes ? Buffer.from((await buffer(answer)).toString(), "base64") : typed;
  if (replaced === undefined || statusCode !== 200) {
    response.writeHead(statusCode, answered);
    answer.pipe(response);
    return;
  }
  answer.resume();
  response.writeHead(200, { ...answered, "content-length": Buffer.byteLength(replaced) });
  response.end(replaced);
}

/** @returns Undefined if the query asks for a text response. */
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

/**
 * Creates a value that matches a JSON Schema without patterns, conditions or contradictions.
 * @param schema A part of `root`, against which references are resolved.
 */
export function sample(schema: unknown, root = schema, depth = 0): unknown {
  if (typeof schema !== "object" || schema === null || depth > MAX_DEPTH) return null;
  const { $ref, properties, items, format, ...keywords } = schema as Schema;
  const [known] = [
    keywords["const"],
    keywords["default"],
    ...toList(keywords["enum"]),
    ...toList(keywords["examples"]),
  ].filter((value) => value !== undefined);
  if (known !== undefined) return known;
  if (typeof $ref === "string") return sample(find(root, $ref), root, depth + 1);
  const [part] = [...toList(keywords["anyOf"]), ...toList(keywords["oneOf"]), ...toList(keywords["allOf"])];
  if (part !== undefined) return sample(part, root, depth + 1);
  const [type = "string"] = [keywords["type"] ?? (properties === undefined ? "string" : "object")].flat() as string[];
  switch (type) {
    case "object":
      return Object.fromEntries(
        Object.entries(properties ?? {}).map(([name, one]) => [name, sample(one, root, depth + 1)]),
      );
    case "array":
      return Array.from({ length: Math.max(1, toNumber(keywords["minItems"])) }, () =>
        sample(items ?? {}, root, depth + 1),
      );
    case "integer":
    case "number":
      return keywords["minimum"] ?? keywords["maximum"] ?? toNumber(keywords["exclusiveMinimum"]) + 1;
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return FORMATS[String(format)] ?? "text".padEnd(toNumber(keywords["minLength"]), "t");
  }
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function toNumber(value: unknown): number {
  return typeof value === "number" ? value : 0;
}

/** @param pointer A JSON pointer, such as `#/$defs/Price`. */
function find(root: unknown, pointer: string): unknown {
  const keys = pointer.split("/").slice(1);
  return keys.reduce<unknown>((node, key) => (node as Schema | undefined)?.[key], root);
}
