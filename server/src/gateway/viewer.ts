import type { Socket } from "node:net";
import type { WebSocket } from "ws";
import type { Connection } from "./connection.ts";
import type { After, GatewayLimits } from "./limits.ts";
import { RfbHandshake } from "./rfb-handshake.ts";
import type { DesktopTarget, ViewerSession } from "./target.ts";
import { whenClosed } from "./when-closed.ts";

/** WebSocket close codes (RFC 6455, section 7.4.1). */
const UNSUPPORTED_DATA = 1003;
const POLICY_VIOLATION = 1008;
const UNEXPECTED = 1011;

export type ViewerLimits = Pick<
  GatewayLimits,
  "closeGraceMs" | "endNoticeMs" | "maxBacklogBytes" | "passwordMs" | "pingMs" | "wrongPasswordMs"
>;

/** A viewer of a desktop: a WebSocket whose binary frames are the bytes of an RFB connection. */
export interface Viewer extends Connection {
  /** Whether its password was right. */
  readonly hasEntered: boolean;
}

/** Connects a viewer with a screen, until either leaves, the desktop stops, or the password is wrong. */
export function connectViewer(
  socket: WebSocket,
  screen: Socket,
  target: DesktopTarget,
  limits: ViewerLimits,
  after: After,
): Viewer {
  const handshake = new RfbHandshake();
  const left = Promise.withResolvers<void>();
  let isFlowing = true;
  /** Whether an answer to a wrong password is waiting. */
  let isHeldBack = false;
  let visit: ViewerSession = { authenticated() {}, leave() {} };
  /** What is due, and is not when this ends. */
  const due = new Set<() => void>();

  function later(delayMs: number, call: () => void): () => void {
    const cancel = after(delayMs, () => {
      due.delete(cancel);
      call();
    });
    due.add(cancel);
    return cancel;
  }

  function end(code: number, reason: string): void {
    if (!isFlowing) return;
    isFlowing = false;
    for (const cancel of due) cancel();
    visit.leave();
    left.resolve();
    screen.destroy();
    if (socket.readyState === socket.CLOSED) return;
    socket.resume();
    socket.close(code, reason);
    const cancel = after(limits.closeGraceMs, () => socket.terminate());
    socket.once("close", cancel);
  }

  function pass(chunk: Buffer): void {
    socket.send(chunk, balance);
    balance();
  }

  /** The screen waits while the viewer takes less than it says. */
  function balance(): void {
    if (isHeldBack || socket.bufferedAmount > limits.maxBacklogBytes) screen.pause();
    else screen.resume();
  }

  function onScreenData(chunk: Buffer): void {
    if (!isFlowing) return;
    const before = handshake.outcome;
    const outcome = handshake.read(chunk);
    if (outcome === "pending" || outcome === before) return pass(chunk);
    cancelPassword();
    if (outcome === "entered") {
      visit.authenticated();
      return pass(chunk);
    }
    // Whoever tries one password after the other has to wait for each.
    isHeldBack = true;
    balance();
    later(limits.wrongPasswordMs, () => {
      isHeldBack = false;
      pass(chunk);
      // A socket that is paused may all the same say that its other end has left.
      if (screen.readableEnded || screen.destroyed) onScreenLeft();
    });
  }

  /** A screen that hung up on a viewer has refused it, could not read it, or is gone with its browser. */
  function onScreenLeft(): void {
    if (!isFlowing || isHeldBack) return;
    if (handshake.outcome === "refused") return end(POLICY_VIOLATION, "wrong password");
    // The browser may have ended, and the reason be on its way.
    later(limits.endNoticeMs, () => end(UNEXPECTED, "The screen closed the connection."));
  }

  function onMessage(data: Buffer, isBinary: boolean): void {
    if (!isFlowing) return;
    if (!isBinary) return end(UNSUPPORTED_DATA, "RFB goes in binary frames.");
    if (!screen.write(data)) socket.pause();
  }

  function ping(): void {
    socket.ping();
    later(limits.pingMs, ping);
  }

  const cancelPassword = later(limits.passwordMs, () => end(POLICY_VIOLATION, "no password was given in time"));
  // A desktop on which nothing moves is silent, and proxies on the way drop what is silent.
  later(limits.pingMs, ping);
  socket.on("message", onMessage);
  // What is wrong with a frame ends the connection, and "close" follows.
  socket.on("error", () => {});
  socket.once("close", () => end(UNEXPECTED, ""));
  screen.on("drain", () => socket.resume());
  screen.on("data", onScreenData).once("end", onScreenLeft).once("close", onScreenLeft);
  const viewer = {
    get hasEntered() {
      return handshake.outcome === "entered";
    },
    end,
    cut: () => socket.terminate(),
    left: left.promise,
    closed: Promise.all([whenClosed(socket), whenClosed(screen)]).then(() => {}),
  };
  visit = target.admitViewer(viewer);
  return viewer;
}
