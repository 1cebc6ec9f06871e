import type { Socket } from "node:net";
import { toCloseFrame } from "./close-frame.ts";
import type { Connection } from "./connection.ts";
import { FrameCursor } from "./frame-cursor.ts";
import type { After, GatewayLimits } from "./limits.ts";
import { whenClosed } from "./when-closed.ts";

/** WebSocket close codes of our own (RFC 6455, section 7.4.1). */
const UNEXPECTED = 1011;

/**
 * Splices a client with a browser after their handshake. Bytes are passed on as they come, in the order they come, and
 * no faster than the other side takes them.
 */
export function splice(
  client: Socket,
  browser: Socket,
  limits: Pick<GatewayLimits, "endNoticeMs" | "closeGraceMs">,
  after: After,
): Connection {
  const toClient = new FrameCursor();
  const left = Promise.withResolvers<void>();
  let isFlowing = true;
  let cancelNotice = (): void => {};

  const fromBrowser = (chunk: Buffer): void => {
    toClient.advance(chunk);
    if (!client.write(chunk)) browser.pause();
  };
  const fromClient = (chunk: Buffer): void => {
    if (!browser.write(chunk)) client.pause();
  };

  /** Nothing flows from here on; what still arrives is read and dropped, so that both closings are noticed. */
  function stop(): void {
    isFlowing = false;
    cancelNotice();
    browser.off("data", fromBrowser).resume();
    client.off("data", fromClient).resume();
    left.resolve();
  }

  function end(code: number, reason: string): void {
    if (!isFlowing) return;
    stop();
    if (!toClient.isAtBoundary) client.destroy();
    else if (!toClient.hasClosed) client.write(toCloseFrame(code, reason));
    browser.destroy();
    closeSoon(client, after, limits.closeGraceMs);
  }

  /** What the client has sent still reaches the browser: its last word may be `Browser.close`. */
  function onClientLeft(): void {
    if (!isFlowing) return;
    stop();
    closeSoon(browser, after, limits.closeGraceMs);
    closeSoon(client, after, limits.closeGraceMs);
  }

  /** Either the browser closed this connection only, or it has ended and the reason is on its way. */
  function onBrowserLeft(): void {
    if (!isFlowing) return;
    if (toClient.hasClosed) return end(UNEXPECTED, "");
    client.off("data", fromClient).resume();
    cancelNotice();
    cancelNotice = after(limits.endNoticeMs, () => end(UNEXPECTED, "The browser closed the connection."));
  }

  browser.on("data", fromBrowser).on("drain", () => client.resume());
  client.on("data", fromClient).on("drain", () => browser.resume());
  browser.resume();
  client.resume();
  whenLeft(browser, onBrowserLeft);
  whenLeft(client, onClientLeft);

  return {
    end,
    cut: () => client.resetAndDestroy(),
    left: left.promise,
    closed: Promise.all([whenClosed(client), whenClosed(browser), left.promise]).then(() => {}),
  };
}

/** Calls when the peer has closed its side, or the connection is lost. */
function whenLeft(socket: Socket, call: () => void): void {
  socket.once("end", call).once("close", call);
  if (socket.readableEnded || socket.destroyed) call();
}

/** Closes our side after all that is written, the socket when the peer has closed its own or after `graceMs`. */
function closeSoon(socket: Socket, after: After, graceMs: number): void {
  if (socket.destroyed) return;
  if (socket.readableEnded) socket.destroySoon();
  else socket.once("end", () => socket.destroySoon()).end();
  const cancel = after(graceMs, () => socket.destroy());
  socket.once("close", cancel);
}
