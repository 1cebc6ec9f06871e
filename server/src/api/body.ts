import { Failure } from "../domain/failure.ts";

/** `application/json`, and the types built on it, with whatever parameters (RFC 6839 section 3.1). */
const JSON_TYPE = /^application\/([\w.+-]+\+)?json\s*(;|$)/i;

/**
 * Reads a request's JSON.
 * @param maxBytes Bytes that are read at most.
 * @returns What the JSON says; undefined when there is no body.
 * @throws {Failure} `PayloadTooLarge`, `UnsupportedMediaType`, or `BadRequest` for what is not JSON.
 * @throws {Error} When the client leaves before it has sent all.
 */
export async function readJson(request: Request, maxBytes: number): Promise<unknown> {
  const bytes = await readBytes(request, maxBytes);
  if (bytes.length === 0) return undefined;
  const type = request.headers.get("content-type");
  // Without a declared type the body is taken as what it can only be.
  if (type !== null && !JSON_TYPE.test(type.trim())) {
    throw new Failure(
      "UnsupportedMediaType",
      `The body is declared as ${JSON.stringify(type)}: send application/json.`,
    );
  }
  return parse(bytes);
}

/**
 * Takes a body in and forgets it, for a client that hears an answer only when it has sent all: one that is told so early
 * that the connection closes below its writes sees a broken pipe instead.
 * @param maxBytes Bytes that are taken at most. Never rejects.
 */
export async function discardBody(request: Request, maxBytes: number): Promise<void> {
  let length = 0;
  try {
    for await (const chunk of request.body ?? []) {
      length += chunk.length;
      if (length > maxBytes) return;
    }
  } catch {
    // The client has left.
  }
}

async function readBytes(request: Request, maxBytes: number): Promise<Buffer> {
  const declared = Number(request.headers.get("content-length") ?? 0);
  if (declared > maxBytes) throw tooLarge(maxBytes);
  if (request.body === null) return Buffer.alloc(0);
  // Node hands out no more than the declared length, so only a body of unknown length is counted.
  if (declared > 0) return Buffer.from(await request.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body) {
    length += chunk.length;
    if (length > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(maxBytes: number): Failure {
  return new Failure("PayloadTooLarge", `The body may have ${maxBytes} bytes at most.`);
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? withoutContent(cause.message) : "it is not UTF-8";
    const message = `The body is not JSON: ${reason}.`;
    // Without its cause, which quotes the body, and would be logged.
    throw new Failure("BadRequest", message, { errors: [{ path: "", message: `is not JSON: ${reason}` }] });
  }
}

/** V8 quotes the text around the mistake, which may hold a password. */
function withoutContent(message: string): string {
  return message.replace(/, (\.\.\.)?".*$/su, "").replace(/"[^"]{2,}"/gu, "…");
}
