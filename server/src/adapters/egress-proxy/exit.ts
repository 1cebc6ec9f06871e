import type { Socket } from "node:net";

/** A host as the browser spelled it, without brackets. */
export type Target = { readonly host: string; readonly port: number };

/** Whom plain requests are written to that are not written to their target. */
export type RequestProxy = {
  readonly peer: Target;
  /** The value of the header that lets them in. */
  readonly authorization: string | undefined;
};

/** The way one browser's traffic takes from this machine on. */
export interface Exit {
  /** Undefined: plain requests are written to the target itself. */
  readonly proxy: RequestProxy | undefined;
  /** Who has to be connected to in order to get to the target. */
  peerOf(target: Target): Target;
  /** Makes of a connection to the peer one that plain requests for the target are written to. */
  forRequests(socket: Socket, target: Target): Promise<Socket>;
  /** Makes of a connection to the peer one whose other end is the target. */
  forTunnel(socket: Socket, target: Target): Promise<Socket>;
}
