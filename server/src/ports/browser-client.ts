import type { Socket } from "node:net";
import type { ClusterKeys } from "./cluster/cluster-certificates.ts";

/** A connected DevTools client or desktop viewer. */
export interface BrowserClient {
  /** Closes the connection with a WebSocket close code and reason. Later calls have no effect. */
  end(code: number, reason: string): void;
}

export interface ViewerSession {
  /** Reports that the password was correct. From this call on, the viewer counts as activity. */
  authenticated(): void;
  /** Reports that the viewer has left. Calling it again has no effect. */
  leave(): void;
}

/** An open browser that clients can connect to. */
export interface DevtoolsTarget {
  /** The browser's own DevTools path: `/devtools/browser/<guid>`. */
  readonly devtoolsPath: string;
  /** The host named in the Open request, as `name` or `name:port`. Clients may use this host. */
  readonly openedHost: string;
  /**
   * Connects to the browser's DevTools server. The caller owns the socket.
   * @throws {Error} If the browser doesn't accept the connection, or `signal` is aborted.
   */
  connect(signal: AbortSignal): Promise<Socket>;
  /**
   * Adds a connected client. Calls `client.end` when the browser ends, or immediately if the browser has already ended.
   * @returns A function that removes the client. Call it exactly once.
   */
  join(client: BrowserClient): () => void;
}

/** Another server in the deployment. It runs the browsers and desktops whose keys begin with its id. */
export type WorkerTarget = {
  readonly id: string;
  /** The worker's http(s) URL, as seen from this server. The path is ignored. */
  readonly url: URL;
  /** Whether the worker has reported recently; if not, it is assumed to be unreachable. */
  readonly isAlive: boolean;
  /**
   * Verifies that the URL points to this worker before any browser or desktop key is sent. Sends one request per URL.
   * @throws {Error} If the URL points elsewhere; `signal.reason` if the signal is aborted.
   */
  verify(signal: AbortSignal): Promise<void>;
  /** The keys for TLS between servers; undefined if the cluster doesn't use TLS. */
  readonly keys?: ClusterKeys | undefined;
};

/** A started desktop that viewers can connect to. */
export interface DesktopTarget {
  /** The host in the Start request, as `name` or `name:port`, which viewers may also use to connect. */
  readonly openedHost: string;
  /**
   * Connects to the desktop's RFB server. The caller owns the socket.
   * @throws {Error} If the RFB server doesn't accept the connection, or `signal` is aborted.
   */
  connect(signal: AbortSignal): Promise<Socket>;
  /** Adds an unauthenticated viewer. Calls `viewer.end` when the desktop stops, or immediately if it has stopped. */
  admitViewer(viewer: BrowserClient): ViewerSession;
}
