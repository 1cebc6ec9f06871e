import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { Clock } from "../../ports/clock.ts";
import type { GatewayLimits } from "./limits.ts";
import { type Relay, whenClosed } from "./relay.ts";
import { FrameCursor, toCloseFrame } from "./websocket-frames.ts";

/** WebSocket close codes (RFC 6455, section 7.4.1). */
const [TOO_LONG, UNEXPECTED] = [1009, 1011] as const;

/** Chromium drops connections that receive a longer frame. The length includes the header. */
export const MAX_FRAME_BYTES = 100 * 2 ** 20;

/**
 * Relays bytes between a client and a browser after their handshake, unchanged and in order. Reads from either peer
 * only as fast as the other peer reads.
 */
export function relayDevtools(
  client: Socket,
  browser: Socket,
  limits: Pick<GatewayLimits, "endNoticeMs" | "closeGraceMs">,
  clock: Pick<Clock, "after">,
): Relay {
  const toClient = new FrameCursor();
  const toBrowser = new FrameCursor();
  const left = Promise.withResolvers<void>();
  let isRelaying = true;
  let cancelNotice = (): void => {};

  const onBrowserData = (chunk: Buffer): void => {
    toClient.advance(chunk);
    if (!client.write(chunk)) browser.pause();
  };
  const onClientData = (chunk: Buffer): void => {
    toBrowser.advance(chunk);
    if (!browser.write(chunk)) client.pause();
  };

  /** Stops relaying, but keeps reading from both sockets to detect when they close. */
  function stop(): void {
    isRelaying = false;
    cancelNotice();
    browser.off("data", onBrowserData).resume();
    client.off("data", onClientData).resume();
    left.resolve();
  }

  function end(code: number, reason: string): void {
    if (!isRelaying) return;
    stop();
    if (!toClient.isAtBoundary) client.destroy();
    else if (!toClient.hasClosed) client.write(toCloseFrame(code, reason));
    browser.destroy();
    closeSoon(client, clock, limits.closeGraceMs);
  }

  /** Lets the browser read what the client has sent, because the last command may be `Browser.close`. */
  function onClientLeft(): void {
    if (!isRelaying) return;
    stop();
    closeSoon(browser, clock, limits.closeGraceMs);
    closeSoon(client, clock, limits.closeGraceMs);
  }

  /** Waits before ending the relay: if the browser has ended, the caller is about to call `end` with the reason. */
  function onBrowserLeft(): void {
    if (!isRelaying) return;
    if (toClient.hasClosed) return end(UNEXPECTED, "");
    client.off("data", onClientData).resume();
    cancelNotice();
    cancelNotice = clock.after(limits.endNoticeMs, () => end(...whyLost(toBrowser.longestFrame)));
  }

  browser.on("data", onBrowserData).on("drain", () => client.resume());
  client.on("data", onClientData).on("drain", () => browser.resume());
  browser.resume();
  client.resume();
  whenLeft(browser, onBrowserLeft);
  whenLeft(client, onClientLeft);

  return {
    end,
    // Node can't reset a TLS connection.
    cut: () => void (client instanceof TLSSocket ? client.destroy() : client.resetAndDestroy()),
    left: left.promise,
    closed: Promise.all([whenClosed(client), whenClosed(browser), left.promise]).then(() => {}),
  };
}

/** Returns the close code and reason for a connection that an open browser dropped. A reason has at most 123 bytes. */
function whyLost(longestFrame: number): [code: number, reason: string] {
  if (longestFrame <= MAX_FRAME_BYTES) return [UNEXPECTED, "The connection to the browser was lost."];
  const reason = `A frame of ${longestFrame} bytes is too long: Chromium accepts up to ${MAX_FRAME_BYTES}. Send several frames.`;
  return [TOO_LONG, reason];
}

/** Calls back when the peer has closed its end of the connection, or the connection is lost. */
function whenLeft(socket: Socket, call: () => void): void {
  socket.once("end", call).once("close", call);
  if (socket.readableEnded || socket.destroyed) call();
}

/** Sends the bytes already written and a FIN. Destroys the socket when the peer also closes, or after `graceMs`. */
function closeSoon(socket: Socket, clock: Pick<Clock, "after">, graceMs: number): void {
  if (socket.destroyed) return;
  if (socket.readableEnded) socket.destroySoon();
  else socket.once("end", () => socket.destroySoon()).end();
  const cancel = clock.after(graceMs, () => socket.destroy());
  socket.once("close", cancel);
}
