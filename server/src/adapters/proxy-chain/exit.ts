import type { Socket } from "node:net";

/** A host as the browser spelled it, without brackets. */
export type Target = { readonly host: string; readonly port: number };

/** The way one browser's traffic takes from this machine on. */
export interface Exit {
  /** The URL of a proxy that plain requests are written to; undefined: they are written to the target itself. */
  readonly proxyUrl: string | undefined;
  /** Who has to be connected to in order to get to the target. */
  peerOf(target: Target): Target;
  /** Makes of a connection to the peer one that plain requests for the target are written to. */
  forRequests(socket: Socket, target: Target): Promise<Socket>;
  /** Makes of a connection to the peer one whose other end is the target. */
  forTunnel(socket: Socket, target: Target): Promise<Socket>;
}
