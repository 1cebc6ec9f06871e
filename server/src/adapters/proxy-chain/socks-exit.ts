import type { Socket } from "node:net";
import { RequestError } from "proxy-chain";
import { SocksClient, SocksClientError } from "socks";
import type { UpstreamProxy } from "../../domain/upstream-proxy.ts";
import type { Exit, Target } from "./exit.ts";
import { UPSTREAM_AUTH_FAILED, UPSTREAM_FAILED } from "./refusal.ts";

/** Out through a SOCKS5 proxy, which resolves the target's name itself. */
export function createSocksExit(upstream: UpstreamProxy): Exit {
  const reach = (socket: Socket, target: Target) => requestConnection(socket, target, upstream);
  return { proxyUrl: undefined, peerOf: () => upstream, forRequests: reach, forTunnel: reach };
}

async function requestConnection(
  socket: Socket,
  target: Target,
  { host, port, credentials }: UpstreamProxy,
): Promise<Socket> {
  try {
    await SocksClient.createConnection({
      command: "connect",
      destination: target,
      existing_socket: socket,
      proxy: {
        type: 5,
        host,
        port,
        ...(credentials && { userId: credentials.username, password: credentials.password }),
      },
    });
    return socket;
  } catch (error) {
    if (!(error instanceof SocksClientError)) throw error;
    // The package tells its errors apart by their text only.
    const isRefusal = /authentication/i.test(error.message);
    throw new RequestError(
      "The upstream SOCKS proxy refused the connection.\n",
      isRefusal ? UPSTREAM_AUTH_FAILED : UPSTREAM_FAILED,
      {},
    );
  }
}
