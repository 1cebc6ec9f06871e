import type { Socket } from "node:net";

/** A connected client, as the browser it uses knows it. */
export interface GatewayClient {
  /**
   * Tells the client that the browser, or its desktop, has ended, with a WebSocket close code and reason, and lets it
   * go. Later calls change nothing.
   */
  end(code: number, reason: string): void;
}

/** One open browser, as its clients reach it. */
export interface GatewayTarget {
  /** Path of its DevTools endpoint as the browser itself spells it: `/devtools/browser/<guid>`. */
  readonly devtoolsPath: string;
  /** Host it was opened under, `name` or `name:port`; a client may come under the same one. */
  readonly openedHost: string;
  /**
   * Connects to its DevTools server; the gateway owns the socket.
   * @throws {Error} When the browser does not take the connection, or `signal` is aborted.
   */
  connect(signal: AbortSignal): Promise<Socket>;
  /**
   * Counts a client in. When the browser ends, or has ended already, it calls `client.end`.
   * @returns Counts it out; the gateway calls it exactly once.
   */
  join(client: GatewayClient): () => void;
}

/** One stay at a desktop. */
export interface ViewerSession {
  /** The password was right: from now on it counts as activity. */
  authenticated(): void;
  /** It is over; twice is harmless. */
  leave(): void;
}

/** One started desktop, as its viewers reach it. */
export interface DesktopTarget {
  /** Host it was started under, `name` or `name:port`; a viewer may come under the same one. */
  readonly openedHost: string;
  /**
   * Connects to its RFB server; the gateway owns the socket.
   * @throws {Error} When the screen does not take the connection, or `signal` is aborted.
   */
  connect(signal: AbortSignal): Promise<Socket>;
  /** Takes in somebody without a password yet. When the desktop stops, or has stopped already, it calls `visitor.end`. */
  admitViewer(visitor: GatewayClient): ViewerSession;
}
