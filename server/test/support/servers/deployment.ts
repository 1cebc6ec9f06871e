import { randomBytes } from "node:crypto";
import { freePort } from "../machine/free-port.ts";
import { type Home, openHome } from "./home.ts";
import type { Postgres } from "../databases/postgres.ts";
import { type RealServer, startServer } from "./real-server.ts";

/** The secret key that all servers with PostgreSQL use. */
export const KEY = randomBytes(32).toString("base64");

/** The secret that all front-ends and workers share. */
const CLUSTER_SECRET = randomBytes(32).toString("hex");

/** Settings for front-ends. The empty values clear test settings that front-ends refuse. */
const FRONT = { RBS_ROLE: "front", RBS_WARM: "", RBS_SPARE_SANDBOXES: "", RBS_WORK_DIR: "" };

/** The server's default address. */
const HERE = { address: "127.0.0.1" };

/** Servers with fake browsers on one database. Disposing kills them. */
export type Deployment = AsyncDisposable & {
  readonly url: string;
  readonly servers: readonly RealServer[];
  /** Restarts a server with the same folders. */
  restart(index: number): Promise<RealServer>;
  /** Runs `npm run account`. @returns The printed JSON. */
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
  // Start all servers at the same time. One of them updates the tables and creates the first account.
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

/** Front-ends and workers on one database. */
export type Cluster = Omit<Deployment, "servers" | "restart"> & {
  readonly fronts: readonly RealServer[];
  readonly workers: readonly RealServer[];
  /** Restarts a worker with the same folders and URL. */
  restartWorker(index: number): Promise<RealServer>;
  /** Restarts a front-end with the same folders and URL. */
  restartFront(index: number): Promise<RealServer>;
};

/** Returns a value for one server of a cluster. */
type OfEach<T> = (role: "front" | "worker", index: number) => T;

type ClusterOptions = {
  readonly all?: Record<string, string>;
  /** Settings for all workers, or for the worker at a port. */
  readonly worker?: Record<string, string> | ((port: number) => Record<string, string>);
  /** Additional settings for a server. */
  readonly each?: OfEach<Record<string, string>>;
  readonly isFake?: boolean;
  readonly fakeArgs?: readonly string[];
  /**
   * The address of a server's machine, and the program that starts the server on that machine; undefined for this
   * machine.
   */
  readonly machine?: OfEach<{ readonly address: string; readonly wrapper: readonly string[] } | undefined>;
  readonly databaseHost?: string;
};

export async function startCluster(
  postgres: Postgres,
  { fronts: frontCount, workers: workerCount }: { readonly fronts: number; readonly workers: number },
  options: ClusterOptions = {},
): Promise<Cluster> {
  await using acquired = new AsyncDisposableStack();
  const { isFake = true, fakeArgs = [], machine = () => undefined, each = () => ({}) } = options;
  const url = await postgres.createDatabase();
  const shared: Record<string, string> = {
    RBS_DATABASE_URL: url,
    RBS_SECRET_KEY: KEY,
    RBS_CLUSTER_SECRET: CLUSTER_SECRET,
    RBS_LOG_LEVEL: "warn",
    ...options.all,
  };
  const database = new URL(url);
  if (options.databaseHost !== undefined) database.hostname = options.databaseHost;
  const newHome = async (role: "front" | "worker", index: number, own: Record<string, string>): Promise<Home> => {
    const { address } = machine(role, index) ?? HERE;
    const where = { RBS_DATABASE_URL: database.href, RBS_HOST: address };
    return acquired.use(await openHome({ ...shared, ...where, ...own, ...each(role, index) }));
  };
  const frontHomes: Home[] = [];
  while (frontHomes.length < frontCount)
    frontHomes.push(await newHome("front", frontHomes.length, { ...FRONT, RBS_PORT: `${await freePort()}` }));
  const workerHomes: Home[] = [];
  while (workerHomes.length < workerCount) {
    const port = await freePort();
    const index = workerHomes.length;
    const scheme = shared["RBS_CLUSTER_CA_FILE"] === undefined ? "http" : "https";
    const { address } = machine("worker", index) ?? HERE;
    const where = { RBS_ROLE: "worker", RBS_PORT: `${port}`, RBS_WORKER_URL: `${scheme}://${address}:${port}` };
    const own = typeof options.worker === "function" ? options.worker(port) : options.worker;
    workerHomes.push(await newHome("worker", index, { ...where, ...own }));
  }
  const startWorker = (home: Home, index: number): Promise<RealServer> =>
    startServer({ isFake, fakeArgs, wrapper: machine("worker", index)?.wrapper ?? [] }, home);
  const workers = await Promise.all(workerHomes.map(startWorker));
  for (const server of workers) acquired.use(server);
  const startFront = (home: Home, index: number): Promise<RealServer> =>
    startServer({ wrapper: machine("front", index)?.wrapper ?? [] }, home);
  const fronts = await Promise.all(frontHomes.map(startFront));
  for (const server of fronts) acquired.use(server);
  // Operators run commands on this machine.
  const operator = acquired.use(await openHome({ ...shared, ...FRONT }));
  const resources = acquired.move();
  return {
    url,
    fronts,
    workers,
    async restartWorker(index) {
      const server = await startWorker(workerHomes[index] as Home, index);
      resources.use(server);
      workers[index] = server;
      return server;
    },
    async restartFront(index) {
      const server = await startFront(frontHomes[index] as Home, index);
      resources.use(server);
      fronts[index] = server;
      return server;
    },
    account: (...args) => operator.accountJson(...args),
    newAccount: (email, ...limits) => operator.newAccount(email, "self-hosted", ...limits),
    query: (sql) => postgres.query(sql, url),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
