import { request } from "node:http";
import { isIP, type Socket } from "node:net";
import { connect } from "node:tls";
import { SocksClient, SocksClientError } from "socks";
import type { UpstreamProxy } from "../../domain/network/upstream-proxy.ts";
import { MAX_ANSWER_HEAD } from "./heads.ts";
import { authenticationFailed, notSocks, targetNotReached } from "./refusal.ts";

/** A host as the browser spelled it, without brackets. */
export type Target = { readonly host: string; readonly port: number };

/** A proxy that receives plain requests instead of their target. */
export type RequestProxy = Target & {
  /** The value of the `Proxy-Authorization` header for this proxy. */
  readonly authorization: string | undefined;
};

/** Connects to targets, directly or through an upstream proxy. */
export interface Dialer {
  /** Undefined if plain requests are sent to their target. */
  readonly proxy: RequestProxy | undefined;
  /** Returns the host to connect to for a target. */
  peerOf(target: Target): Target;
  /** Converts a connection to the peer into a connection for plain requests to the target. */
  forRequests(socket: Socket, target: Target): Promise<Socket>;
  /** Converts a connection to the peer into a connection to the target. */
  forTunnel(socket: Socket, target: Target): Promise<Socket>;
}

export function newDialer(upstream: UpstreamProxy | undefined): Dialer {
  if (upstream === undefined) return DIRECT;
  return upstream.scheme === "socks5" ? newSocksDialer(upstream) : newHttpDialer(upstream);
}

const DIRECT: Dialer = {
  proxy: undefined,
  peerOf: (target) => target,
  forRequests: async (socket) => socket,
  forTunnel: async (socket) => socket,
};

/** Returns a dialer for HTTP proxies. Uses TLS if the scheme is https. */
function newHttpDialer(upstream: UpstreamProxy): Dialer {
  const { scheme, host, port, credentials } = upstream;
  const authorization =
    credentials && `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString("base64")}`;
  const secure = async (socket: Socket) => (scheme === "https" ? encrypt(socket, host) : socket);
  return {
    proxy: { host, port, authorization },
    peerOf: () => upstream,
    forRequests: secure,
    forTunnel: async (socket, target) => requestTunnel(await secure(socket), target, authorization),
  };
}

function encrypt(socket: Socket, host: string): Promise<Socket> {
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

function requestTunnel(socket: Socket, { host, port }: Target, authorization: string | undefined): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const authority = host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
    const connecting = request({
      method: "CONNECT",
      path: authority,
      headers: { host: authority, ...(authorization !== undefined && { "proxy-authorization": authorization }) },
      createConnection: () => socket,
      maxHeaderSize: MAX_ANSWER_HEAD,
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

/** Returns a dialer for SOCKS5 proxies, which resolve the target's name themselves. */
function newSocksDialer(upstream: UpstreamProxy): Dialer {
  const { host, port, credentials } = upstream;
  const login = credentials && { userId: credentials.username, password: credentials.password };
  const connectThrough = async (socket: Socket, target: Target): Promise<Socket> => {
    try {
      await SocksClient.createConnection({
        command: "connect",
        destination: target,
        existing_socket: socket,
        proxy: { type: 5, host, port, ...login },
      });
      return socket;
    } catch (error) {
      throw error instanceof SocksClientError ? toSocksRefusal(error) : error;
    }
  };
  return { proxy: undefined, peerOf: () => upstream, forRequests: connectThrough, forTunnel: connectThrough };
}

// The package's errors differ only in their message.
function toSocksRefusal({ message }: SocksClientError): Error {
  if (/authentication/i.test(message)) return authenticationFailed();
  const [, answer] = /proxy rejected connection - (.*)/i.exec(message) ?? [];
  return answer === undefined ? notSocks() : targetNotReached(answer);
}
