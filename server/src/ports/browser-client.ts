import type { Socket } from "node:net";
import type { ClusterKeys } from "./cluster/cluster-certificates.ts";

/** A connected client: a DevTools client of a browser, or a viewer of its desktop. */
export interface BrowserClient {
  /** Ends the connection with a WebSocket close code and reason. Later calls have no effect. */
  end(code: number, reason: string): void;
}

/** One viewer's connection to a desktop. */
export interface ViewerSession {
  /** The password was right: from now on the viewer counts as activity. */
  authenticated(): void;
  /** The viewer has left. Calling it again has no effect. */
  leave(): void;
}

/** An open browser that clients can connect to. */
export interface DevtoolsTarget {
  /** Path of its DevTools endpoint in the browser itself: `/devtools/browser/<guid>`. */
  readonly devtoolsPath: string;
  /** Host that the Open request was sent to, `name` or `name:port`. Clients may use the same host. */
  readonly openedHost: string;
  /**
   * Connects to its DevTools server. The caller owns the socket.
   * @throws {Error} If the browser doesn't accept the connection, or `signal` is aborted.
   */
  connect(signal: AbortSignal): Promise<Socket>;
  /**
   * Adds a connected client. Calls `client.end` when the browser ends, or immediately if it has ended.
   * @returns Removes the client; called exactly once.
   */
  join(client: BrowserClient): () => void;
}

/** Another server of the deployment, which has the browsers and desktops whose keys begin with its id. */
export type WorkerTarget = {
  readonly id: string;
  /** Where this server reaches it: an http(s) URL. Its path is ignored. */
  readonly url: URL;
  /** Whether it has reported recently. Otherwise, it won't answer. */
  readonly isAlive: boolean;
  /**
   * Makes sure that its URL leads to it, before it gets a key of a browser or desktop. Asks it once for each URL.
   * @throws {Error} If it doesn't; `signal.reason` when the signal is aborted.
   */
  verify(signal: AbortSignal): Promise<void>;
  /** For TLS between servers of a cluster; undefined: they don't use it. */
  readonly keys?: ClusterKeys | undefined;
};

/** A started desktop that viewers can connect to. */
export interface DesktopTarget {
  /** Host that the Start request was sent to, `name` or `name:port`. Viewers may use the same host. */
  readonly openedHost: string;
  /**
   * Connects to its RFB server. The caller owns the socket.
   * @throws {Error} If the RFB server doesn't accept the connection, or `signal` is aborted.
   */
  connect(signal: AbortSignal): Promise<Socket>;
  /** Adds a viewer before it has authenticated. Calls `viewer.end` when the desktop stops, or immediately if it has. */
  admitViewer(viewer: BrowserClient): ViewerSession;
}
