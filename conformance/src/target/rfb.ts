import { ByteQueue } from "./byte-queue.ts";
import { NoAnswer } from "./no-answer.ts";
import { handshake, ViewerRefused, NotRfb, type Screen } from "./rfb-handshake.ts";
import { type Resizing, RfbSession } from "./rfb-session.ts";
import { type Closing, CONNECT_MS, connectSocket, within } from "./socket.ts";

/** A connected viewer. Disposing disconnects it. */
export type Viewer = AsyncDisposable & {
  readonly screen: Screen;
  /** Requests another screen size. @returns Undefined if the server does not answer within `withinMs`. */
  resize(width: number, height: number, withinMs: number): Promise<Resizing>;
  /** Clicks with the left button. */
  click(x: number, y: number): void;
  /** Types Latin letters. */
  type(text: string): void;
  /** Resolves with the end of the connection, or with undefined if it stays open for this long. */
  closing(withinMs: number): Promise<Closing | undefined>;
};

/**
 * Connects a VNC viewer (RFC 6143) over a WebSocket.
 * @throws {ViewerRefused} When the server refuses the handshake or the password, or ends the connection.
 * @throws {NotRfb} When the server does not speak RFB, or the address is not valid.
 * @throws {NoAnswer} When the server can't be reached, or does not answer.
 */
export async function connectViewer(rfbUrl: string, password: string): Promise<Viewer> {
  if (!/^wss?:/.test(rfbUrl) || !URL.canParse(rfbUrl))
    throw new NotRfb("can't be reached: the address is not a WebSocket URL");
  const bytes = new ByteQueue();
  const { socket, closed, opened } = connectSocket(
    rfbUrl,
    { perMessageDeflate: false },
    "The WebSocket handshake of a viewer",
    (status) => new ViewerRefused(`the server answered the handshake with ${status}`),
  );
  socket.on("message", (data: Buffer, isBinary) => {
    if (isBinary) bytes.push(data);
    else bytes.fail(new NotRfb("sends text frames instead of binary ones"));
  });
  void closed.then(({ code, reason }) => {
    bytes.fail(new ViewerRefused(`the connection was closed with ${code} ${JSON.stringify(reason)}`));
  });
  try {
    await opened;
    const send = (sent: Buffer): void => socket.send(sent);
    const entering = handshake(bytes, send, password);
    const screen = await within(entering, CONNECT_MS);
    if (screen === undefined) {
      entering.catch(() => {});
      const message = `The server at rfbUrl did not accept or refuse the viewer within ${CONNECT_MS / 1000} s.`;
      throw new NoAnswer(message, { isReached: true });
    }
    const session = new RfbSession(bytes, send, screen);
    // A viewer that can't read a message receives no further answers.
    session.listen().catch(() => {});
    return {
      screen,
      closing: (withinMs) => within(closed, withinMs),
      resize: (...size) => session.resize(...size),
      click: (...position) => session.click(...position),
      type: (text) => session.type(text),
      async [Symbol.asyncDispose]() {
        socket.close(1000);
        if ((await within(closed, 2000)) === undefined) socket.terminate();
        await closed;
      },
    };
  } catch (error) {
    socket.terminate();
    throw error;
  }
}
