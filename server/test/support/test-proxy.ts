import { Server } from "proxy-chain";

/** A proxy that wants to know who one is, and leads every host to this machine. */
export type TestProxy = AsyncDisposable & {
  readonly port: number;
  /** `user:password` of each request that came. */
  readonly logins: readonly string[];
  /** `host:port` of each target, with how it was asked for. */
  readonly targets: readonly string[];
};

/** @param login `user:password` that it wants; without it, any will do. */
export async function openProxy(login?: string): Promise<TestProxy> {
  const logins: string[] = [];
  const targets: string[] = [];
  const server = new Server({
    host: "127.0.0.1",
    port: 0,
    prepareRequestFunction({ username, password, hostname, port, isHttp }) {
      logins.push(`${username}:${password}`);
      targets.push(`${isHttp ? "GET" : "CONNECT"} ${hostname}:${port}`);
      const isWelcome = login === undefined || login === `${username}:${password}`;
      return { requestAuthentication: !isWelcome, dnsLookup: toThisMachine as never };
    },
  });
  await server.listen();
  return {
    port: server.port,
    logins,
    targets,
    [Symbol.asyncDispose]: () => server.close(true),
  };
}

type Callback = (error: null, address: string | { address: string; family: number }[], family?: number) => void;

function toThisMachine(_host: string, options: { all?: boolean }, callback: Callback): void {
  if (options.all === true) callback(null, [{ address: "127.0.0.1", family: 4 }]);
  else callback(null, "127.0.0.1", 4);
}
