import { once } from "node:events";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { WebSocket } from "ws";
import { orAborted } from "../../concurrency/abortable.ts";
import type { Connect } from "./devtools.ts";

/** Pages choose their own titles and addresses, so the list of pages may be as long as they want. */
const MAX_LIST_BYTES = 4 * 2 ** 20;

const BLANK = "about:blank";

/** A connection to one page's DevTools, beside those of clients. */
export type PageSession = {
  /** @throws {Error} If the browser refuses the command, or the page closes first. */
  readonly command: (method: string, params?: object) => Promise<Readonly<Record<string, unknown>>>;
};

type SessionOptions = {
  /** The largest message that the browser may send; a larger one ends the session. */
  readonly maxMessageBytes: number;
  /** An error that it throws ends the session. */
  readonly onEvent?: (method: string, params: Readonly<Record<string, unknown>>) => void;
};

/** The page has closed, or the browser has ended the session. */
export class PageClosed extends Error {}

/** Ids of pages, most recently used first and blank ones last. */
export async function listPages(connect: Connect, signal: AbortSignal): Promise<string[]> {
  const socket = await connect(signal);
  try {
    const asked = request({
      path: "/json/list",
      headers: { Host: "127.0.0.1" },
      createConnection: () => socket,
      signal,
    });
    // `once` below reports an error before the response. Later ones don't matter.
    asked.on("error", () => {});
    const [response] = (await once(asked.end(), "response", { signal })) as [AsyncIterable<Buffer>];
    const pages = (
      JSON.parse(await text(bound(response, MAX_LIST_BYTES))) as { id: string; type: string; url: string }[]
    )
      // Leave out DevTools windows that a client has opened.
      .filter(({ type, url }) => type === "page" && !url.startsWith("devtools:"))
      .toSorted((one, other) => Number(one.url === BLANK) - Number(other.url === BLANK));
    return pages.map(({ id }) => id);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    socket.destroy();
  }
}

/**
 * Opens a session for some work, and ends it with the work.
 * @throws {PageClosed} If the page doesn't exist, or closes first. @throws {unknown} What `work` or `onEvent` throws;
 *   `signal.reason` if the signal is aborted.
 */
export async function withPage<T>(
  id: string,
  connect: Connect,
  signal: AbortSignal,
  { maxMessageBytes, onEvent }: SessionOptions,
  work: (session: PageSession) => Promise<T>,
): Promise<T> {
  const socket = await connect(signal);
  const over = new AbortController();
  const page = new WebSocket(`ws://127.0.0.1/devtools/page/${encodeURIComponent(id)}`, {
    createConnection: () => socket,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
  });
  const answers: ((message: Message) => void)[] = [];
  page.on("message", (data: Buffer) => {
    try {
      const message = JSON.parse(data.toString()) as Message;
      if (message.id !== undefined) answers[message.id]?.(message);
      else if (message.method !== undefined) onEvent?.(message.method, message.params ?? {});
    } catch (error) {
      over.abort(error);
    }
  });
  page.on("error", () => {});
  page.on("close", () => over.abort(new PageClosed("The page has closed.")));
  const command = async (method: string, params: object = {}): Promise<Readonly<Record<string, unknown>>> => {
    const { promise, resolve } = Promise.withResolvers<Message>();
    page.send(JSON.stringify({ id: answers.push(resolve) - 1, method, params }));
    const { result = {}, error } = await orAborted(promise, over.signal);
    if (error !== undefined) throw new Error(`The browser refused ${method}: ${JSON.stringify(error)}`);
    return result;
  };
  const either = AbortSignal.any([signal, over.signal]);
  try {
    return await orAborted(
      once(page, "open", { signal: either }).then(() => work({ command })),
      either,
    );
  } catch (error) {
    throw either.aborted ? either.reason : error;
  } finally {
    page.terminate();
    socket.destroy();
  }
}

type Message = {
  readonly id?: number;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: unknown;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
};

async function* bound(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error(`The browser's list of pages has more than ${maxBytes} bytes.`);
    yield chunk;
  }
}
