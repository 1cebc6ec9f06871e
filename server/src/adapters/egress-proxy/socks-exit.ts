import type { Socket } from "node:net";
import { SocksClient, SocksClientError } from "socks";
import type { UpstreamProxy } from "../../domain/network/upstream-proxy.ts";
import type { Exit, Target } from "./exit.ts";
import { authenticationFailed, Refusal, targetNotReached, UPSTREAM_FAILED } from "./refusal.ts";

/** Out through a SOCKS5 proxy, which resolves the target's name itself. */
export function createSocksExit(upstream: UpstreamProxy): Exit {
  const reach = (socket: Socket, target: Target) => requestConnection(socket, target, upstream);
  return { proxy: undefined, peerOf: () => upstream, forRequests: reach, forTunnel: reach };
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
    throw toSocksRefusal(error);
  }
}

/** The package tells its errors apart by their text only. */
function toSocksRefusal({ message }: SocksClientError): Refusal {
  if (/authentication/i.test(message)) return authenticationFailed();
  const [, answer] = /proxy rejected connection - (.*)/i.exec(message) ?? [];
  if (answer !== undefined) return targetNotReached(answer);
  return new Refusal(UPSTREAM_FAILED, "Proxy error", "The browser's proxy broke off, or does not speak SOCKS5.");
}
