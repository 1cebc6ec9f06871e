import { orAborted, withTimeout } from "../concurrency/abortable.ts";
import { Failure } from "../domain/failure.ts";
import type { Clock } from "../ports/clock.ts";

/** Time limit for receiving the body of a request that holds a permit. 4 MiB within this limit requires 1.7 Mbit/s. */
export const MAX_BODY_MS = 20_000;

/** `application/json` and types with the suffix `+json`, with any parameters (RFC 6839 section 3.1). */
const JSON_TYPE = /^application\/([\w.+-]+\+)?json\s*(;|$)/i;

/**
 * Reads a request's JSON body.
 * @param check Throws if the body doesn't match the request's headers.
 * @returns The parsed value; undefined if the request has no body.
 * @throws {Failure} `PayloadTooLarge` above `maxBytes`, `UnsupportedMediaType`, or `BadRequest` for invalid JSON.
 * @throws {Error} If the client disconnects before it has sent the whole body.
 */
export async function readJson(
  request: Request,
  maxBytes: number,
  check: (bytes: Uint8Array) => void = () => {},
): Promise<unknown> {
  const bytes = await readBytes(request, maxBytes);
  check(bytes);
  if (bytes.length === 0) return undefined;
  const type = request.headers.get("content-type");
  // JSON is the only supported type, so a body without a declared type is read as JSON.
  if (type !== null && !JSON_TYPE.test(type.trim())) {
    throw new Failure("UnsupportedMediaType", `The Content-Type is ${JSON.stringify(type)}: send application/json.`);
  }
  return parse(bytes);
}

/**
 * Reads and discards a body: if the connection closed early, a client that sends its whole body before reading the
 * response would report a broken pipe. Never rejects.
 * @param maxBytes Stops reading after this many bytes.
 */
export async function discardBody(request: Request, maxBytes: number): Promise<void> {
  let length = 0;
  try {
    for await (const chunk of request.body?.values({ preventCancel: true }) ?? []) {
      length += chunk.length;
      if (length > maxBytes) return;
    }
  } catch {
    // The client has disconnected.
  }
}

/**
 * Waits up to `MAX_BODY_MS` for a body. Node itself only limits the time for the whole request. The listener discards
 * the rest of a late body.
 * @throws {Error} The error from `toError()` if the body arrives late.
 */
export async function withBodyTimeout<Body>(
  reading: Promise<Body>,
  clock: Pick<Clock, "after">,
  toError: () => Error,
): Promise<Body> {
  return withTimeout({ timeoutMs: MAX_BODY_MS, clock, toError }, (signal) => orAborted(reading, signal));
}

async function readBytes(request: Request, maxBytes: number): Promise<Buffer> {
  const declared = Number(request.headers.get("content-length") ?? 0);
  if (declared > maxBytes) throw tooLarge(maxBytes);
  // Node stops reading at the declared length, so only the bytes of a body of undeclared length must be counted.
  // Reading the property `body` would create a stream, which uses 4 KB while the request waits.
  if (declared > 0) return Buffer.from(await request.arrayBuffer());
  if (request.body === null) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Cancelling would reset the connection. The listener discards the rest of the body after the response.
  for await (const chunk of request.body.values({ preventCancel: true })) {
    length += chunk.length;
    if (length > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(maxBytes: number): Failure {
  return new Failure(
    "PayloadTooLarge",
    `The body is larger than ${maxBytes} bytes, which is the most that this operation accepts.`,
  );
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? withoutContent(cause.message) : "it is not UTF-8";
    const message = `The body is not JSON: ${reason}.`;
    // Omit the cause: it quotes the body, and causes are logged.
    throw new Failure("BadRequest", message, { errors: [{ path: "", message: `is not JSON: ${reason}` }] });
  }
}

/** Removes V8's excerpt of the text around the error, because the excerpt can contain a password. */
function withoutContent(message: string): string {
  return message.replace(/, (\.\.\.)?".*$/su, "").replace(/"[^"]{2,}"/gu, "…");
}
