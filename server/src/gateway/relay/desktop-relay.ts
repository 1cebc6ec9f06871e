import type { Socket } from "node:net";
import type { WebSocket } from "ws";
import type { DesktopTarget, ViewerSession } from "../../ports/browser-client.ts";
import type { Clock } from "../../ports/clock.ts";
import type { GatewayLimits } from "./limits.ts";
import { RfbHandshake } from "./rfb-handshake.ts";
import { type Relay, whenClosed } from "./relay.ts";

/** WebSocket close codes (RFC 6455, section 7.4.1). */
const UNSUPPORTED_DATA = 1003;
const POLICY_VIOLATION = 1008;
const UNEXPECTED = 1011;

/** A desktop's viewer: a WebSocket whose binary frames contain the bytes of an RFB connection. */
export interface ViewerRelay extends Relay {
  /** Whether the viewer has sent a correct password. */
  readonly isAuthenticated: boolean;
}

/** Relays frames between a viewer and a screen until either disconnects, the desktop stops, or a password is wrong. */
export function relayViewer(
  socket: WebSocket,
  screen: Socket,
  target: DesktopTarget,
  limits: Pick<
    GatewayLimits,
    "closeGraceMs" | "endNoticeMs" | "maxBacklogBytes" | "passwordMs" | "pingMs" | "wrongPasswordMs"
  >,
  clock: Pick<Clock, "after">,
): ViewerRelay {
  const handshake = new RfbHandshake();
  const left = Promise.withResolvers<void>();
  let isRelaying = true;
  /** Whether the response to a wrong password is being delayed. */
  let isDelayed = false;
  let session: ViewerSession = { authenticated() {}, leave() {} };
  /** Functions that cancel the running timers. */
  const timers = new Set<() => void>();

  function later(delayMs: number, call: () => void): () => void {
    const cancel = clock.after(delayMs, () => {
      timers.delete(cancel);
      call();
    });
    timers.add(cancel);
    return cancel;
  }

  function end(code: number, reason: string): void {
    if (!isRelaying) return;
    isRelaying = false;
    for (const cancel of timers) cancel();
    session.leave();
    left.resolve();
    screen.destroy();
    if (socket.readyState === socket.CLOSED) return;
    socket.resume();
    socket.close(code, reason);
    const cancel = clock.after(limits.closeGraceMs, () => socket.terminate());
    socket.once("close", cancel);
  }

  function send(chunk: Buffer): void {
    socket.send(chunk, balance);
    balance();
  }

  /** Reads from the screen only as fast as the viewer reads. */
  function balance(): void {
    if (isDelayed || socket.bufferedAmount > limits.maxBacklogBytes) screen.pause();
    else screen.resume();
  }

  function onScreenData(chunk: Buffer): void {
    if (!isRelaying) return;
    const before = handshake.outcome;
    const outcome = handshake.read(chunk);
    if (outcome === "pending" || outcome === before) return send(chunk);
    cancelPassword();
    if (outcome === "authenticated") {
      session.authenticated();
      return send(chunk);
    }
    // Slows down clients that guess passwords.
    isDelayed = true;
    balance();
    later(limits.wrongPasswordMs, () => {
      isDelayed = false;
      send(chunk);
      // A paused socket can report that its peer has disconnected.
      if (screen.readableEnded || screen.destroyed) onScreenLeft();
    });
  }

  /** Handles the RFB server's disconnection: it refused the viewer, received invalid messages, or its browser ended. */
  function onScreenLeft(): void {
    if (!isRelaying || isDelayed) return;
    if (handshake.outcome === "refused") return end(POLICY_VIOLATION, "wrong password");
    // If the browser has ended, the caller is about to call `end` with the reason.
    later(limits.endNoticeMs, () => end(UNEXPECTED, "The screen closed the connection."));
  }

  function onMessage(data: Buffer, isBinary: boolean): void {
    if (!isRelaying) return;
    if (!isBinary) return end(UNSUPPORTED_DATA, "Send RFB in binary frames.");
    if (!screen.write(data)) socket.pause();
  }

  function ping(): void {
    socket.ping();
    later(limits.pingMs, ping);
  }

  const cancelPassword = later(limits.passwordMs, () => end(POLICY_VIOLATION, "No password was sent in time."));
  // A desktop sends no data while its screen doesn't change, and proxies close idle connections.
  later(limits.pingMs, ping);
  socket.on("message", onMessage);
  // An invalid frame closes the connection, so a "close" event follows.
  socket.on("error", () => {});
  socket.once("close", () => end(UNEXPECTED, ""));
  screen.on("drain", () => socket.resume());
  screen.on("data", onScreenData).once("end", onScreenLeft).once("close", onScreenLeft);
  const viewer = {
    get isAuthenticated() {
      return handshake.outcome === "authenticated";
    },
    end,
    cut: () => socket.terminate(),
    left: left.promise,
    closed: Promise.all([whenClosed(socket), whenClosed(screen)]).then(() => {}),
  };
  session = target.admitViewer(viewer);
  return viewer;
}
