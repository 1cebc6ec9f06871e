import { request } from "node:http";
import { isIP, type Socket } from "node:net";
import { connect } from "node:tls";
import type { UpstreamProxy } from "../../domain/network/upstream-proxy.ts";
import type { Exit, Target } from "./exit.ts";
import { authenticationFailed, targetNotReached } from "./refusal.ts";

/** Out through a proxy that speaks HTTP, over TLS if its scheme is https. */
export function createHttpExit(upstream: UpstreamProxy): Exit {
  const secure = upstream.scheme === "https" ? (socket: Socket) => encrypt(socket, upstream) : undefined;
  return {
    proxy: { peer: upstream, authorization: upstream.credentials && toBasic(upstream.credentials) },
    peerOf: () => upstream,
    forRequests: async (socket) => (secure === undefined ? socket : secure(socket)),
    async forTunnel(socket, target) {
      return requestTunnel(secure === undefined ? socket : await secure(socket), target, upstream);
    },
  };
}

function toAuthority({ host, port }: Target): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

function encrypt(socket: Socket, { host }: UpstreamProxy): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const encrypted = connect({
      socket,
      host,
      ...(isIP(host) === 0 && { servername: host }),
      ALPNProtocols: ["http/1.1"],
    });
    encrypted.on("error", reject);
    encrypted.once("secureConnect", () => resolve(encrypted));
  });
}

function requestTunnel(socket: Socket, target: Target, { credentials }: UpstreamProxy): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const authority = toAuthority(target);
    const connecting = request({
      method: "CONNECT",
      path: authority,
      headers: {
        host: authority,
        ...(credentials && { "proxy-authorization": toBasic(credentials) }),
      },
      createConnection: () => socket,
    });
    connecting.once("error", reject);
    connecting.once("connect", ({ statusCode = 0 }, _socket, head) => {
      if (statusCode < 200 || statusCode > 299) {
        const isRefusal = statusCode === 401 || statusCode === 407;
        reject(isRefusal ? authenticationFailed() : targetNotReached(String(statusCode)));
        return;
      }
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    connecting.end();
  });
}

function toBasic({ username, password }: { username: string; password: string }): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}
