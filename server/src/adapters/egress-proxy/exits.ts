import type { UpstreamProxy } from "../../domain/network/upstream-proxy.ts";
import type { Exit } from "./exit.ts";
import { createHttpExit } from "./http-exit.ts";
import { createSocksExit } from "./socks-exit.ts";

export function createExit(upstream: UpstreamProxy | undefined): Exit {
  if (upstream === undefined) return DIRECT;
  return upstream.scheme === "socks5" ? createSocksExit(upstream) : createHttpExit(upstream);
}

const DIRECT: Exit = {
  proxy: undefined,
  peerOf: (target) => target,
  forRequests: async (socket) => socket,
  forTunnel: async (socket) => socket,
};
