import { once } from "node:events";
import { type NetConnectOpts, type Socket, connect } from "node:net";
import { FrameReader, type Message, toFrame } from "./frames.ts";

type Waiting = {
  answersLeft: number;
  readonly resolve: (last: Message) => void;
  readonly reject: (error: Error) => void;
};

/**
 * A DevTools client that does as little as one can, so that what it measures is not itself: requests are frames made
 * before the clock starts, and answers are counted, not parsed.
 */
export class DevtoolsClient implements Disposable {
  readonly #socket: Socket;
  #waiting: Waiting | undefined;
  #lastId = 0;

  private constructor(socket: Socket, early: Buffer) {
    this.#socket = socket;
    const lose = (): void => this.#fail(new Error("The browser closed the connection."));
    const reader = new FrameReader((message) => this.#receive(message), lose);
    socket.on("data", (chunk: Buffer) => reader.push(chunk));
    socket.on("close", lose);
    if (early.length > 0) reader.push(early);
  }

  /** @param path `/devtools/browser/<id>`. @throws {Error} When the connection or the upgrade is refused. */
  static async connect(target: NetConnectOpts, path: string, host = "127.0.0.1"): Promise<DevtoolsClient> {
    const socket = connect(target);
    await once(socket, "connect");
    return DevtoolsClient.upgrade(socket, path, host);
  }

  /** The same on a socket that is connected; it is the client's from now on. */
  static async upgrade(socket: Socket, path: string, host = "127.0.0.1"): Promise<DevtoolsClient> {
    // A socket that fails is seen as its closing; without a listener it would end the process.
    socket.on("error", () => {}).setNoDelay(true);
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
    );
    let head = Buffer.alloc(0);
    while (!head.includes("\r\n\r\n")) {
      const [chunk] = (await Promise.race([once(socket, "data"), once(socket, "close").then(() => [])])) as [Buffer?];
      if (chunk === undefined) throw new Error("The connection was closed before it was upgraded.");
      head = Buffer.concat([head, chunk]);
    }
    if (!head.toString("latin1").startsWith("HTTP/1.1 101")) {
      socket.destroy();
      throw new Error(`The upgrade was refused: ${head.toString("latin1").split("\r\n", 1)[0]}`);
    }
    return new DevtoolsClient(socket, head.subarray(head.indexOf("\r\n\r\n") + 4));
  }

  /** A command as it goes over the wire, with an id that is counted up. */
  frame(method: string, params: object = {}, sessionId?: string): Buffer {
    this.#lastId += 1;
    return toFrame(JSON.stringify({ id: this.#lastId, method, params, sessionId }));
  }

  /**
   * Sends commands and waits until so many answers have come.
   * @returns The last answer. Whether it is a good one is the caller's question.
   * @throws {Error} When the connection ends before.
   */
  exchange(frames: Buffer, answers = 1): Promise<Message> {
    if (this.#waiting !== undefined) throw new Error("One exchange at a time.");
    const { promise, resolve, reject } = Promise.withResolvers<Message>();
    this.#waiting = { answersLeft: answers, resolve, reject };
    this.#socket.write(frames);
    return promise;
  }

  /** Sends one command. @returns Its result. @throws {Error} When the browser refuses it. */
  async call(method: string, params: object = {}, sessionId?: string): Promise<Readonly<Record<string, unknown>>> {
    const answer = await this.exchange(this.frame(method, params, sessionId));
    const { result, error } = JSON.parse(Buffer.concat(answer).toString());
    if (result === undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  }

  /** Sends without waiting for anything, and reads nothing any more. */
  sendAndStall(frames: Buffer): void {
    this.#socket.pause();
    this.#socket.write(frames);
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }

  #receive(message: Message): void {
    const waiting = this.#waiting;
    if (waiting === undefined || !isAnswer(message)) return;
    waiting.answersLeft -= 1;
    if (waiting.answersLeft > 0) return;
    this.#waiting = undefined;
    waiting.resolve(message);
  }

  #fail(error: Error): void {
    this.#waiting?.reject(error);
    this.#waiting = undefined;
  }
}

/** Answers begin with `{"id"`, events with `{"method"`. */
function isAnswer([first = Buffer.alloc(0), ...rest]: Message): boolean {
  const head = first.length > 2 ? first : Buffer.concat([first, ...rest]);
  return head[2] === 0x69;
}
