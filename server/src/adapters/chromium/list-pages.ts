import { addAbortSignal } from "node:stream";
import type { Threads } from "../../ports/threads.ts";
import { readSent } from "./devtools-answers.ts";
import { type Connect, limitBytes } from "./devtools.ts";

const REQUEST = "GET /json/list HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";

const MAX_HEAD_BYTES = 4096;
/** Pages choose their own titles and addresses, so the list of pages may be as long as they want. */
const MAX_LIST_BYTES = 4 * 2 ** 20;

const OK = /^HTTP\/1\.1 200 .*\r\nContent-Length: *(\d+)\r\n/is;

/**
 * Ids of pages, most recently used first and blank ones last.
 * @throws {Error} If the browser's answer isn't such a list, or is too long; `signal.reason` if the signal is aborted.
 */
export async function listPages(connect: Connect, threads: Threads, signal: AbortSignal): Promise<readonly string[]> {
  const socket = addAbortSignal(signal, await limitBytes(connect, MAX_LIST_BYTES)(signal));
  try {
    socket.write(REQUEST);
    return await readSent("pages", await readBody(socket), threads, signal);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    socket.destroy();
  }
}

/**
 * Reads the answer as Chromium sends it. A parser of all HTTP would take its time for thousands of parts with one byte
 * each.
 */
async function readBody(socket: AsyncIterable<Buffer>): Promise<Buffer> {
  let head: Buffer = Buffer.alloc(0);
  let missing: number | undefined;
  const parts: Buffer[] = [];
  for await (const chunk of socket) {
    if (missing === undefined) {
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf("\r\n\r\n");
      if (end === -1 && head.length <= MAX_HEAD_BYTES) continue;
      const [, length] = OK.exec(head.toString("latin1", 0, end + 2)) ?? [];
      if (length === undefined) throw new Error("The browser's answer is not a list of its pages.");
      missing = Number(length);
      parts.push(head.subarray(end + 4));
    } else {
      parts.push(chunk);
    }
    missing -= parts.at(-1)?.length ?? 0;
    if (missing <= 0) return Buffer.concat(parts);
  }
  throw new Error("The browser closed the connection before it had sent the list of its pages.");
}
