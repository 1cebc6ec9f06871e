import { addAbortSignal } from "node:stream";
import { type Connect, limitBytes } from "./devtools.ts";

const REQUEST = "GET /json/list HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";

const MAX_HEAD_BYTES = 4096;
/** Size limit, because pages choose their titles and addresses and can make the list arbitrarily long. */
const MAX_LIST_BYTES = 4 * 2 ** 20;

const OK = /^HTTP\/1\.1 200 .*\r\nContent-Length: *(\d+)\r\n/is;

/** A page's property in the list, and the start of its value. Text in values can't match, as its quotes are escaped. */
const PROPERTY = /"(id|type|url)": ?(?:"([^"\\]{0,65}))?/g;
const MAX_PAGES = 1000;
const MAX_PROPERTIES = 3 * MAX_PAGES;

const ID = /^[\w-]{1,64}$/;
const BLANK = "about:blank";

/**
 * Lists the ids of pages, most recently used first and blank ones last.
 * @throws {Error} If the response is malformed or too long; `signal.reason` if the signal is aborted.
 */
export async function listPages(connect: Connect, signal: AbortSignal): Promise<readonly string[]> {
  const socket = addAbortSignal(signal, await limitBytes(connect, MAX_LIST_BYTES)(signal));
  try {
    socket.write(REQUEST);
    return readPages(await readBody(socket));
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    socket.destroy();
  }
}

/** Reads a response as Chromium sends it. A full HTTP parser would be slow for thousands of one-byte parts. */
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
      if (length === undefined) throw new Error("The browser's response is not a list of its pages.");
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

/** Finds pages in 10 ms at most. Parsing a tenant's list as JSON can take 20 ms per 256 kB. */
export function readPages(list: Buffer): readonly string[] {
  const pages: Record<string, string>[] = [];
  for (const [, name = "", value = ""] of list.toString("latin1").matchAll(PROPERTY).take(MAX_PROPERTIES)) {
    const last = pages.at(-1);
    // If a property repeats, the next page begins.
    if (last === undefined || Object.hasOwn(last, name)) pages.push({ [name]: value });
    else last[name] = value;
  }
  return (
    pages
      // Skip DevTools windows opened by clients.
      .filter(({ id = "", type, url = "" }) => type === "page" && ID.test(id) && !url.startsWith("devtools:"))
      .toSorted((one, other) => Number(one["url"] === BLANK) - Number(other["url"] === BLANK))
      .map(({ id = "" }) => id)
  );
}
