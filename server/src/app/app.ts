import { startIdleCollector } from "../adapters/v8/idle-collector.ts";
import { openClusterCertificates } from "../adapters/tls/cluster-certificates.ts";
import type { Config } from "../config/config.ts";
import type { ServiceApp } from "../api/app.ts";
import type { BrowserBounds } from "../domain/machine/bounds.ts";
import { waitUpTo } from "../concurrency/abortable.ts";
import type { ClusterCertificates } from "../ports/cluster/cluster-certificates.ts";
import type { LogOutput } from "../ports/log.ts";
import type { Verdict } from "../services/health/readiness.ts";
import { listen } from "./listen.ts";
import { type Ports, toPorts } from "./ports.ts";
import { startFront } from "./front.ts";
import { newRoutes, newWorkerRoutes, type Routes } from "./routes.ts";
import { type Running, type Services, startServices, toServed } from "./services.ts";

/** A server that listens, and its parts. Disposing ends its browsers and releases everything. */
export type OpenServer = AsyncDisposable & {
  /** The address to open in a browser. */
  readonly url: URL;
  readonly app: ServiceApp;
  readonly services: Services;
};

/** Wrappers around parts of a server, for tests. */
export type Wrappers = {
  readonly services?: (services: Services) => Services;
  readonly routes?: (routes: Routes) => Routes;
};

/**
 * Connects all parts and listens.
 * @throws {Error} When the data folder is in use or can't be used, or the port is in use.
 */
export async function openServer(config: Config, ports: Ports, wrappers: Wrappers = {}): Promise<OpenServer> {
  const { services: wrapServices = unchanged, routes: wrapRoutes = unchanged } = wrappers;
  await using acquired = new AsyncDisposableStack();
  const certificates = acquired.use(await openWorkerCertificates(config, ports));
  const started = acquired.use(await startServices(config, ports));
  const services = wrapServices(started);
  const { url, app } = acquired.use(
    await listen(config, { ...ports, certificates }, (connections) =>
      wrapRoutes(toRoutes(services, config, ports, connections)),
    ),
  );
  const resources = acquired.move();
  return {
    url,
    app,
    services,
    async [Symbol.asyncDispose]() {
      await started.closeAll();
      await resources.disposeAsync();
    },
  };
}

/** What a worker shows front-ends; undefined: it has no TLS. @throws {Error} If a file can't be used. */
async function openWorkerCertificates({ cluster }: Config, ports: Ports): Promise<ClusterCertificates | undefined> {
  if (cluster?.role !== "worker" || cluster.certificates === undefined) return undefined;
  const host = cluster.url.hostname.replace(/^\[(.*)\]$/, "$1");
  return openClusterCertificates({ ...ports, files: cluster.certificates, host });
}

/** A worker serves front-ends, and no API and pages of its own. */
function toRoutes(services: Services, config: Config, ports: Ports, connections: () => number): Routes {
  const { cluster } = config;
  const served = toServed(services);
  return cluster?.role === "worker" && served.calls !== undefined
    ? newWorkerRoutes({ ...served, calls: served.calls }, cluster, config, ports, connections)
    : newRoutes(served, config, ports, connections);
}

/** Starts what the server's role needs, and listens. */
async function openRole(
  config: Config,
  ports: Ports,
): Promise<AsyncDisposable & { readonly url: URL; readonly services: Running }> {
  const { cluster } = config;
  if (cluster?.role !== "front") return openServer(config, ports);
  await using acquired = new AsyncDisposableStack();
  const services = acquired.use(await startFront(config, cluster, ports));
  const { url } = acquired.use(
    await listen(config, ports, (connections) => newRoutes(services, config, ports, connections)),
  );
  const resources = acquired.move();
  return {
    url,
    services,
    async [Symbol.asyncDispose]() {
      await services.closeAll();
      await resources.disposeAsync();
    },
  };
}

function unchanged<Part>(part: Part): Part {
  return part;
}

// The warning leaves the email address out, because standard output often ends up in logs.
const UNSEEN_EMAIL =
  "The first account has a random email address. To see it, list the accounts on the command line. To choose one, set " +
  "RBS_FIRST_ACCOUNT_EMAIL before the first start.";

/** A server as `main.ts` runs it. */
export type Service = {
  /** The address to open in a browser. */
  readonly url: URL;
  readonly log: LogOutput;
  /** The operator's account, if this start created it with random secrets. */
  readonly firstAccount: { readonly email: string; readonly token: string; readonly password: string } | undefined;
  /** Resolves when no browsers can be opened until the next start; undefined if that can't happen. */
  readonly failed: Promise<Error> | undefined;
  /** Resolves when the operator has drained this server: it has no browsers and must stop; undefined if impossible. */
  readonly drained: Promise<void> | undefined;
  /** What the operator should know about this start, one sentence each. */
  readonly warnings: readonly string[];
  /** What each browser may use; undefined: as much as it wants. */
  readonly bounds: BrowserBounds | undefined;
  /** Finds out whether the server can open browsers, by opening one. */
  readonly ready: () => Promise<Verdict>;
  /**
   * Refuses new browsers, waits `RBS_DRAIN_S` for the open ones, ends the rest and releases everything. Never rejects;
   * a second call waits for the first.
   */
  readonly stop: () => Promise<void>;
  /** Ends the wait of a stop for open browsers. */
  readonly endDrain: () => void;
};

/**
 * Starts a server with an operator's account.
 * @param overrides Ports that replace the real ones.
 * @throws {Error} When the data folder is in use or can't be used, or the port is in use.
 */
export async function startService(config: Config, overrides: Partial<Ports> = {}): Promise<Service> {
  await using acquired = new AsyncDisposableStack();
  const ports = toPorts(config, overrides);
  const { clock, log } = ports;
  const { url, services } = acquired.use(await openRole(config, ports));
  acquired.use(startIdleCollector(clock));
  const { accounts, readiness, failed, drained, warnings, bounds, facts } = services;
  // After everything else: the token is shown once, and a start that fails later would lose it.
  const first = config.cluster?.role === "worker" ? undefined : await accounts.createFirst(config.firstAccount);
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
