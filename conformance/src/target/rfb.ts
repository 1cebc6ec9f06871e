import { ByteQueue } from "./byte-queue.ts";
import { NoAnswer } from "./no-answer.ts";
import { handshake, ViewerRefused, NotRfb, type Screen } from "./rfb-handshake.ts";
import { type Resizing, RfbSession } from "./rfb-session.ts";
import { type Closing, CONNECT_MS, connectSocket, within } from "./socket.ts";

/** A connected viewer. Disposing disconnects it. */
export type Viewer = AsyncDisposable & {
  readonly screen: Screen;
  /** Requests another screen size. @returns Undefined if the server does not respond within `withinMs`. */
  resize(width: number, height: number, withinMs: number): Promise<Resizing>;
  /** Clicks with the left button. */
  click(x: number, y: number): void;
  /** Types Latin letters. */
  type(text: string): void;
  /** Resolves when the connection closes, or with undefined if it is still open after `withinMs`. */
  closing(withinMs: number): Promise<Closing | undefined>;
};

/**
 * Connects a VNC viewer (RFC 6143) over a WebSocket.
 * @throws {ViewerRefused} If the server rejects the handshake or the password, or closes the connection.
 * @throws {NotRfb} If the server does not speak RFB, or the address is invalid.
 * @throws {NoAnswer} If the server can't be reached, or does not respond.
 */
export async function connectViewer(rfbUrl: string, password: string): Promise<Viewer> {
  if (!/^wss?:/.test(rfbUrl) || !URL.canParse(rfbUrl))
    throw new NotRfb("can't be reached: the address is not a WebSocket URL");
  const bytes = new ByteQueue();
  const { socket, closed, opened } = connectSocket(
    rfbUrl,
    { perMessageDeflate: false },
    "A viewer's WebSocket handshake",
    (status) => new ViewerRefused(`the server responded to the handshake with ${status}`),
  );
  socket.on("message", (data: Buffer, isBinary) => {
    if (isBinary) bytes.push(data);
    else bytes.fail(new NotRfb("sends text frames instead of binary frames"));
  });
  void closed.then(({ code, reason }) => {
    bytes.fail(new ViewerRefused(`the connection closed with ${code} ${JSON.stringify(reason)}`));
  });
  try {
    await opened;
    const send = (sent: Buffer): void => socket.send(sent);
    const entering = handshake(bytes, send, password);
    const screen = await within(entering, CONNECT_MS);
    if (screen === undefined) {
      entering.catch(() => {});
      const message = `The server at rfbUrl neither accepted nor rejected the viewer within ${CONNECT_MS / 1000} s.`;
      throw new NoAnswer(message, { isReached: true });
    }
    const session = new RfbSession(bytes, send, screen);
    // If a message can't be parsed, the viewer stops reading, and later requests receive no response.
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
