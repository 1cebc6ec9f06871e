import type { IncomingMessage } from "node:http";
import { readMachine } from "../../adapters/linux/linux-machine.ts";
import type { Config } from "../../config/config.ts";
import { isInRanges, readAddress, toNetwork } from "../../domain/network/address-range.ts";
import type { UnsentLimits } from "../../gateway/connections/unsent-answers.ts";
import type { ConnectionLimits } from "../../gateway/connections/waiting-connections.ts";
import { toClientAddress } from "../../domain/network/client-address.ts";

const MIB = 2 ** 20;

/** Maximum number of open files that the limits are based on. */
const MAX_FILES = 2 ** 20;

/** The share of the process's open files that callers' connections may use. Browsers need the rest. */
const FILES_SHARE = 0.5;
/** Share of memory for callers' connections, and the maximum that a connection's body and waiting requests use. */
const [MEMORY_SHARE, CONNECTION_BYTES] = [1 / 4, 128 * 1024];
/** The share of callers' connections that DevTools clients and desktop viewers may use. */
const CLIENTS_SHARE = 0.8;
/** The share of callers' connections that may be waiting for one client to send or read. */
const WAITING_SHARE = 0.25;

/** Limits on unsent response bytes: the maximum, the share of memory, and the share per account or address. */
const [MAX_UNSENT, UNSENT_SHARE, OWNER_SHARE] = [256 * MIB, 1 / 8, 1 / 4];
/** How long a response may wait for its client to read it. */
const STALL_MS = 30_000;

type ServerLimits = {
  readonly connections: ConnectionLimits;
  /** Maximum number of DevTools clients and viewers. */
  readonly clients: number;
  readonly unsent: UnsentLimits;
  /** Identifies the caller of a request without a token: the client's network, even behind a trusted proxy. */
  readonly toCaller: (request: IncomingMessage) => string;
};

/** Calculates the limits for callers from the machine's resources. */
export function toServerLimits({ trustedProxies }: Pick<Config, "trustedProxies">): ServerLimits {
  const { openFiles, memoryBytes } = readMachine();
  const byFiles = Math.min(openFiles, MAX_FILES) * FILES_SHARE;
  const connections = Math.floor(Math.min(byFiles, (memoryBytes * MEMORY_SHARE) / CONNECTION_BYTES));
  const unsent = Math.min(MAX_UNSENT, memoryBytes * UNSENT_SHARE);
  return {
    connections: {
      total: connections,
      waitingPerCaller: Math.floor(connections * WAITING_SHARE),
      toPeer(text) {
        const address = readAddress(text);
        const isProxy = address !== undefined && isInRanges(address, trustedProxies);
        return isProxy ? undefined : toNetwork(text);
      },
      toCaller,
    },
    clients: Math.floor(connections * CLIENTS_SHARE),
    unsent: { total: unsent, perOwner: unsent * OWNER_SHARE, stallMs: STALL_MS },
    toCaller,
  };

  function toCaller({ socket, headers }: IncomingMessage): string {
    const forwardedFor = [headers["x-forwarded-for"] ?? []].flat().join();
    return toNetwork(toClientAddress(socket.remoteAddress, forwardedFor, trustedProxies));
  }
}
