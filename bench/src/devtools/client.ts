import { once } from "node:events";
import { type NetConnectOpts, type Socket, connect } from "node:net";
import { FrameReader, type Message, toFrame } from "./frames.ts";

type Waiting = {
  answersLeft: number;
  readonly resolve: (last: Message) => void;
  readonly reject: (error: Error) => void;
};

/**
 * A minimal DevTools client. Callers encode requests before the measurement starts, and the client counts responses
 * without parsing them, so that its own work isn't included in the figures.
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

  /** @param path `/devtools/browser/<id>`. @throws {Error} If the connection or the upgrade is rejected. */
  static async connect(target: NetConnectOpts, path: string, host = "127.0.0.1"): Promise<DevtoolsClient> {
    const socket = connect(target);
    await once(socket, "connect");
    return DevtoolsClient.upgrade(socket, path, host);
  }

  /** Upgrades a connected socket, which the client then owns. */
  static async upgrade(socket: Socket, path: string, host = "127.0.0.1"): Promise<DevtoolsClient> {
    // Without a listener, an error would crash the process. The stream emits "close" after "error".
    socket.on("error", () => {}).setNoDelay(true);
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
    );
    let head = Buffer.alloc(0);
    while (!head.includes("\r\n\r\n")) {
      const [chunk] = (await Promise.race([once(socket, "data"), once(socket, "close").then(() => [])])) as [Buffer?];
      if (chunk === undefined) throw new Error("The connection closed before the upgrade.");
      head = Buffer.concat([head, chunk]);
    }
    if (!head.toString("latin1").startsWith("HTTP/1.1 101")) {
      socket.destroy();
      throw new Error(`The upgrade was rejected: ${head.toString("latin1").split("\r\n", 1)[0]}`);
    }
    return new DevtoolsClient(socket, head.subarray(head.indexOf("\r\n\r\n") + 4));
  }

  /** Encodes a command with the next id. */
  frame(method: string, params: object = {}, sessionId?: string): Buffer {
    this.#lastId += 1;
    return toFrame(JSON.stringify({ id: this.#lastId, method, params, sessionId }));
  }

  /**
   * Sends commands and waits for `answers` responses.
   * @returns The last response, which may be an error.
   * @throws {Error} If the connection closes before all responses have arrived.
   */
  exchange(frames: Buffer, answers = 1): Promise<Message> {
    if (this.#waiting !== undefined) throw new Error("Another exchange is still running.");
    const { promise, resolve, reject } = Promise.withResolvers<Message>();
    this.#waiting = { answersLeft: answers, resolve, reject };
    this.#socket.write(frames);
    return promise;
  }

  /** Sends one command. @returns The result. @throws {Error} If the browser responds with an error. */
  async call(method: string, params: object = {}, sessionId?: string): Promise<Readonly<Record<string, unknown>>> {
    const answer = await this.exchange(this.frame(method, params, sessionId));
    const { result, error } = JSON.parse(Buffer.concat(answer).toString());
    if (result === undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  }

  /** Stops reading, and sends commands without waiting for responses. */
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

/** Responses start with `{"id"`, events with `{"method"`. */
function isAnswer([first = Buffer.alloc(0), ...rest]: Message): boolean {
  const head = first.length > 2 ? first : Buffer.concat([first, ...rest]);
  return head[2] === 0x69;
}
