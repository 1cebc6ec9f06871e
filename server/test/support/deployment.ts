import { randomBytes } from "node:crypto";
import { type Home, openHome } from "./home.ts";
import type { Postgres } from "./postgres.ts";
import { type RealServer, startServer } from "./real-server.ts";

/** The key of all servers with PostgreSQL. */
export const KEY = randomBytes(32).toString("base64");

/** Servers with fake browsers on one database. Disposing kills them. */
export type Deployment = AsyncDisposable & {
  readonly url: string;
  readonly servers: readonly RealServer[];
  /** Starts a server again in its folders. */
  restart(index: number): Promise<RealServer>;
  /** Runs `npm run account`. @returns Its JSON. */
  account(...args: readonly string[]): Promise<Record<string, unknown>>;
  /** Creates an account. @returns Its token. */
  newAccount(email: string, ...limits: readonly string[]): Promise<string>;
  query<Row>(sql: string): Promise<Row[]>;
};

export async function startServers(
  postgres: Postgres,
  count: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<Deployment> {
  await using acquired = new AsyncDisposableStack();
  const url = await postgres.createDatabase();
  const shared = { RBS_DATABASE_URL: url, RBS_SECRET_KEY: KEY, RBS_LOG_LEVEL: "warn", ...settings };
  const first = acquired.use(await openHome(shared));
  const homes: Home[] = [first];
  while (homes.length < count) homes.push(acquired.use(await openHome(shared)));
  const start = (home: Home): Promise<RealServer> => startServer({ isFake: true }, home);
  // At the same time: one of them updates the tables and creates the first account.
  const servers = await Promise.all(homes.map(start));
  for (const server of servers) acquired.use(server);
  const resources = acquired.move();
  return {
    url,
    servers,
    async restart(index) {
      const server = await start(homes[index] as Home);
      resources.use(server);
      servers[index] = server;
      return server;
    },
    account: (...args) => first.accountJson(...args),
    newAccount: (email, ...limits) => first.newAccount(email, "self-hosted", ...limits),
    query: (sql) => postgres.query(sql, url),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
