import { startIdleCollector } from "../adapters/node/idle-collector.ts";
import { openClusterCertificates } from "../adapters/tls/cluster-certificates.ts";
import type { Cluster } from "../config/cluster.ts";
import type { Config } from "../config/config.ts";
import type { ServiceApp } from "../api/app.ts";
import { waitUpTo } from "../concurrency/abortable.ts";
import type { ClusterCertificates } from "../ports/cluster/cluster-certificates.ts";
import type { LogOutput } from "../ports/log.ts";
import type { Verdict } from "../services/health/readiness.ts";
import { listen } from "./listen/listen.ts";
import { type Ports, toPorts } from "./compose/ports.ts";
import { startFront } from "./roles/front.ts";
import { newRoutes, type Routes } from "./listen/routes.ts";
import { type Services, startLocal, toServed } from "./roles/local.ts";
import type { Running, ServedServices } from "./roles/role.ts";

/** A listening server and its services. Disposing closes its browsers and releases all resources. */
type Opened<Started> = AsyncDisposable & {
  /** The address to open in a browser. */
  readonly url: URL;
  readonly app: ServiceApp;
  readonly services: Started;
};

/** A server that runs browsers. */
export type OpenServer = Opened<Services>;

/** Functions that let tests replace a server's services and routes. */
export type Wrappers = {
  readonly services?: (services: Services) => Services;
  readonly routes?: (routes: Routes) => Routes;
};

/**
 * Starts a server that runs browsers, and listens for connections.
 * @throws {Error} If the data folder is in use or can't be used, or the port is in use.
 */
export async function openServer(config: Config, ports: Ports, wrappers: Wrappers = {}): Promise<OpenServer> {
  const { services: wrapServices = unchanged, routes: wrapRoutes = unchanged } = wrappers;
  await using acquired = new AsyncDisposableStack();
  const certificates = acquired.use(await openWorkerCertificates(config, ports));
  const started = acquired.use(await startLocal(config, ports));
  const services = wrapServices(started);
  const served = toServed(services);
  const routes = wrapRoutes(newRoutes(served, config, ports));
  return { ...(await serve(started, served, routes, config, { ...ports, certificates }, acquired)), services };
}

/** Starts a front-end, and listens for connections. */
async function openFront(
  config: Config,
  cluster: Extract<Cluster, { role: "front" }>,
  ports: Ports,
): Promise<Opened<ServedServices & Running>> {
  await using acquired = new AsyncDisposableStack();
  const services = acquired.use(await startFront(config, cluster, ports));
  const routes = newRoutes(services, config, ports);
  return { ...(await serve(services, services, routes, config, ports, acquired)), services };
}

/** Listens for connections. Disposing the result closes the server's browsers, and then releases `acquired`. */
async function serve(
  running: Running,
  { gauges }: ServedServices,
  routes: Routes,
  config: Config,
  ports: Parameters<typeof listen>[1] & Pick<Ports, "metrics">,
  acquired: AsyncDisposableStack,
): Promise<Omit<Opened<unknown>, "services">> {
  const listening = acquired.use(await listen(config, ports, routes));
  ports.metrics.addGauges(() => ({ ...gauges(), connections: listening.clients }));
  const resources = acquired.move();
  return {
    url: listening.url,
    app: routes.app,
    async [Symbol.asyncDispose]() {
      await running.closeAll();
      await resources.disposeAsync();
    },
  };
}

/** Loads a worker's certificates; undefined if the server uses no TLS. @throws {Error} If a file can't be used. */
async function openWorkerCertificates({ cluster }: Config, ports: Ports): Promise<ClusterCertificates | undefined> {
  if (cluster?.role !== "worker" || cluster.certificates === undefined) return undefined;
  const host = cluster.url.hostname.replace(/^\[(.*)\]$/, "$1");
  return openClusterCertificates({ ...ports, files: cluster.certificates, host });
}

function unchanged<Part>(part: Part): Part {
  return part;
}

// Omits the email address, because standard output often ends up in logs.
const UNSEEN_EMAIL =
  "The first account has a random email address. To see it, list the accounts on the command line. To choose one, set " +
  "RBS_FIRST_ACCOUNT_EMAIL before the first start.";

/** A running server, as `main.ts` uses it. */
export type Service = Pick<Running, "failed" | "drained" | "warnings" | "bounds"> & {
  /** The address to open in a browser. */
  readonly url: URL;
  readonly log: LogOutput;
  /** The operator's account if this start created it with random secrets. */
  readonly firstAccount: { readonly email: string; readonly token: string; readonly password: string } | undefined;
  /** Opens a browser to find out whether the server can open browsers. */
  readonly ready: () => Promise<Verdict>;
  /**
   * Refuses new browsers, waits up to `RBS_DRAIN_S` for users to close their browsers, closes the rest and releases all
   * resources. Never rejects. A second call waits for the first.
   */
  readonly stop: () => Promise<void>;
  /** Makes `stop` close open browsers immediately. */
  readonly endDrain: () => void;
};

/**
 * Starts a server with an operator's account.
 * @param overrides Ports that replace the real ports.
 * @throws {Error} If the data folder is in use or can't be used, or the port is in use.
 */
export async function startService(config: Config, overrides: Partial<Ports> = {}): Promise<Service> {
  await using acquired = new AsyncDisposableStack();
  const ports = toPorts(config, overrides);
  const { clock, log } = ports;
  const { cluster } = config;
  const opening = cluster?.role === "front" ? openFront(config, cluster, ports) : openServer(config, ports);
  const { url, services } = acquired.use<Opened<Running>>(await opening);
  acquired.use(startIdleCollector(clock));
  const { accounts, readiness, failed, drained, warnings, bounds, facts } = services;
  // Create the account last: its token is shown only once, and would be lost if the start failed later.
  const first = cluster?.role === "worker" ? undefined : await accounts.createFirst(config.firstAccount);
  const isUnseen = first !== undefined && first.secrets === undefined && config.firstAccount.email === undefined;
  log.info("server.started", { port: Number(url.port), ...facts });
  const resources = acquired.move();

  const drainEnded = Promise.withResolvers<void>();
  const stop = async (): Promise<void> => {
    log.info("server.stopping", { drainS: config.drainMs / 1000 });
    services.refuse();
    await waitUpTo(config.drainMs, clock, Promise.race([services.idle(), drainEnded.promise]));
    await resources.disposeAsync();
    log.info("server.stopped");
    await log.flush();
  };
  let stopping: Promise<void> | undefined;
  return {
    url,
    log,
    firstAccount: first?.secrets && { email: first.email, ...first.secrets },
    failed,
    drained,
    warnings: isUnseen ? [...warnings, UNSEEN_EMAIL] : warnings,
    bounds,
    ready: () => readiness.check(),
    stop: () => (stopping ??= stop()),
    endDrain() {
      log.info("server.drain_ended");
      drainEnded.resolve();
    },
  };
}
