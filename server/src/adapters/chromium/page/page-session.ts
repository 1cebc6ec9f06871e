import { once } from "node:events";
import type { Socket } from "node:net";
import { WebSocket } from "ws";
import { orAborted } from "../../../concurrency/abortable.ts";
import type { Connect } from "./devtools.ts";

/** Responses to commands are short. Longer ones aren't parsed. */
const MAX_ANSWER_BYTES = 64 * 2 ** 10;

/** How Chromium's messages begin. Only expected messages are parsed: tenants can make other messages very large. */
const [ANSWER, EVENT] = [/^\{"id":(\d+),/, /^\{"method":"([\w.]+)"/] as const;
const HEAD_BYTES = 128;

/** Maximum number of non-response messages. Chromium sends a few, and even short ones take time to process. */
const MAX_OTHERS = 1000;
/** Maximum number of a message's fragments. Chromium doesn't fragment messages. */
const MAX_PARTS = 1000;
const MAX_UPGRADE_BYTES = 64 * 2 ** 10;

/** Maximum length of a browser's error in the log, in characters. */
const MAX_REASON = 500;

/** A separate connection to a page's DevTools. */
export type PageSession = {
  /** @throws {Error} If the browser refuses the command, or the page closes first. */
  readonly command: (method: string, params?: object) => Promise<Readonly<Record<string, unknown>>>;
};

type SessionOptions = {
  /** Receives each event unparsed. Must not throw. */
  readonly onEvent?: (method: string, message: Buffer) => void;
};

/** The page has closed, or the browser has ended the session. */
export class PageClosed extends Error {}

/**
 * Opens a session for `work`, and closes it afterwards.
 * @throws {PageClosed} If the page doesn't exist, or closes first.
 * @throws {unknown} What `work` throws; `signal.reason` if the signal is aborted.
 */
export async function withPage<T>(
  id: string,
  connect: Connect,
  signal: AbortSignal,
  { onEvent }: SessionOptions,
  work: (session: PageSession) => Promise<T>,
): Promise<T> {
  using opened = new DisposableStack();
  const socket = opened.adopt(await connect(signal), (each) => void each.destroy());
  const over = new AbortController();
  const page = opened.adopt(openPage(id, socket, over), (each) => each.terminate());
  const { command, countOther, receive } = newMessages(page, over, onEvent);
  page.on("message", receive).on("ping", countOther).on("pong", countOther);
  const either = AbortSignal.any([signal, over.signal]);
  try {
    return await orAborted(
      once(page, "open", { signal: either }).then(() => work({ command })),
      either,
    );
  } catch (error) {
    throw either.aborted ? either.reason : error;
  }
}

/** @param over Aborted when the connection ends. */
function openPage(id: string, socket: Socket, over: AbortController): WebSocket {
  // This listener is registered first, so that an error is reported before the connection closes.
  socket.once("error", (error) => over.abort(error));
  const page = new WebSocket(`ws://127.0.0.1/devtools/page/${encodeURIComponent(id)}`, {
    createConnection: () => socket,
    perMessageDeflate: false,
    maxFragments: MAX_PARTS,
    // Chromium doesn't send pings. Pongs to a peer that never reads them would be buffered in this process.
    autoPong: false,
  });
  const onUpgrade = (): void => {
    if (socket.bytesRead > MAX_UPGRADE_BYTES) {
      over.abort(new Error(`The browser answered the upgrade with more than ${MAX_UPGRADE_BYTES} bytes.`));
    }
  };
  socket.on("data", onUpgrade);
  page.on("error", () => {});
  page.once("open", () => {
    socket.off("data", onUpgrade);
    // An error before the page opens means that the page doesn't exist.
    page.on("error", (error) => over.abort(error));
  });
  page.on("close", () => over.abort(new PageClosed("The page has closed.")));
  return page;
}

type Messages = PageSession & {
  readonly receive: (message: Buffer) => void;
  /** Counts a message that isn't a response to a command. */
  readonly countOther: () => void;
};

function newMessages(page: WebSocket, over: AbortController, onEvent: SessionOptions["onEvent"]): Messages {
  const awaited = new Map<number, (answer: Buffer) => void>();
  let [sent, others] = [0, 0];
  const countOther = (): void => {
    others += 1;
    // Messages that were already read still arrive after an abort, so abort only once.
    if (others !== MAX_OTHERS + 1) return;
    over.abort(new Error(`The browser sent more than ${MAX_OTHERS} messages that aren't command responses.`));
  };
  return {
    async command(method, params = {}) {
      const { promise, resolve } = Promise.withResolvers<Buffer>();
      sent += 1;
      const id = sent;
      awaited.set(id, resolve);
      page.send(JSON.stringify({ id, method, params }));
      const answer = await orAborted(promise, over.signal);
      awaited.delete(id);
      return readAnswer(method, answer);
    },
    countOther,
    receive(message) {
      const head = message.toString("latin1", 0, HEAD_BYTES);
      const [, id] = ANSWER.exec(head) ?? [];
      const answer = id === undefined ? undefined : awaited.get(Number(id));
      if (answer !== undefined) return answer(message);
      countOther();
      const [, method] = EVENT.exec(head) ?? [];
      if (method !== undefined) onEvent?.(method, message);
    },
  };
}

type Answer = { readonly result?: Readonly<Record<string, unknown>>; readonly error?: unknown };

/** @throws {Error} If the browser refused the command, or the answer is malformed. */
function readAnswer(method: string, answer: Buffer): Readonly<Record<string, unknown>> {
  if (answer.length > MAX_ANSWER_BYTES) {
    throw new Error(`The browser's answer to ${method} has ${answer.length} bytes, more than ${MAX_ANSWER_BYTES}.`);
  }
  const { result = {}, error } = JSON.parse(answer.toString()) as Answer;
  if (error !== undefined)
    throw new Error(`The browser refused ${method}: ${JSON.stringify(error).slice(0, MAX_REASON)}`);
  return result;
}
