import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findDashboardFiles, findSwaggerUi } from "../../adapters/file-system/dashboard-files.ts";
import { readDesktopPage } from "../../adapters/file-system/desktop-page-files.ts";
import { readPageFiles } from "../../adapters/file-system/page-files.ts";
import { callProofs } from "../../adapters/worker-http/call-proofs.ts";
import { type Config, isForThisMachine } from "../../config/config.ts";
import { mountDashboard } from "./dashboard.ts";
import { isInRanges, readAddress } from "../../domain/network/address-range.ts";
import { SELF_HOSTED } from "../../domain/plan/plan.ts";
import { mountAssets } from "../../web/kit/assets.ts";
import { mountContract } from "../../api/mount.ts";
import type { GatewayOptions } from "../../gateway/gateway.ts";
import { toPathPrefix } from "../../contract/path.ts";
import { newRateCheck } from "../../api/rate.ts";
import { newServiceApp, type ServiceApp } from "../../api/app.ts";
import { renderUpgradeRefusal } from "../../gateway/upgrade/refusal.ts";
import { readDestination } from "../../gateway/upgrade/upgrade-request.ts";
import { AI_CHECKS, newAiHandlers, newQueryAdmission } from "../../api/operations/ai.ts";
import { newAccountHandlers } from "../../api/operations/account.ts";
import { BROWSER_CHECKS, newBrowserHandlers } from "../../api/operations/browser.ts";
import { mountDesktopPage } from "../../web/desktop-page/desktop-page.ts";
import { mountMetrics } from "../../api/metrics.ts";
import { mountHealth } from "../../api/health.ts";
import { newDesktopHandlers } from "../../api/operations/desktop.ts";
import { mountUpgradeRequired } from "../../api/upgrade-required.ts";
import type { Ports } from "../compose/ports.ts";
import type { Cluster } from "../../config/cluster.ts";
import { mountCluster, mountWorkerRoute } from "../../cluster/cluster.ts";
import type { Log } from "../../ports/log.ts";
import type { WorkerCalls } from "../../ports/cluster/worker-calls.ts";
import { newScreenshotPermits } from "../../services/pictures/capture-permits.ts";
import type { ServedServices } from "../roles/role.ts";

/** The folder with the pages' files, next to their sources or the compiled server. */
const WEB = fileURLToPath(new URL(import.meta.url.endsWith(".ts") ? "../../web" : "web", import.meta.url));

/** Reads the pages' files once per process, because test processes start many servers. */
const readDashboardFiles = once(() => readPageFiles(findDashboardFiles(WEB)));
const readSwaggerUi = once(() => findSwaggerUi(WEB));
const readDesktop = once(() => readDesktopPage(join(WEB, "desktop-page")));

function once<Value>(read: () => Value): () => Value {
  let value: Value | undefined;
  return () => (value ??= read());
}

/** The app that handles requests, and the options of the gateway that handles upgrades. */
export type Routes = { readonly app: ServiceApp; readonly gateway: Omit<GatewayOptions, "clock"> };

/** Creates a server's routes. A worker has no API or pages, and serves only front-ends. */
export function newRoutes(services: ServedServices, config: Config, ports: Ports): Routes {
  const { cluster } = config;
  const { calls } = services;
  return cluster?.role === "worker" && calls !== undefined
    ? newWorkerRoutes(services, calls, cluster, config, ports)
    : newPublicRoutes(services, config, ports);
}

/** Creates the routes of a server with an API and pages. */
function newPublicRoutes(services: ServedServices, config: Config, ports: Ports): Routes {
  const { clock, log } = ports;
  const { auth, fleet, records, subscriptions, query, hasScreens } = services;
  const { publicUrl, rate } = config;
  const app = newApp(config, ports);
  mountContract(
    app,
    {
      ...newBrowserHandlers(fleet, records, newScreenshotPermits(clock)),
      ...newDesktopHandlers(fleet),
      ...newAccountHandlers(subscriptions),
      ...newAiHandlers(query),
    },
    {
      authenticate: (token) => auth.tokens.authenticate(token),
      checkRate: rate && newRateCheck(rate, ({ plan }) => plan === SELF_HOSTED.name),
      publicUrl,
      capabilities: { graphical: hasScreens, desktop: hasScreens, ai: config.ai.apiKey !== undefined },
      checks: { ...BROWSER_CHECKS, ...AI_CHECKS },
      admission: { queryAi: newQueryAdmission(query) },
      clock,
    },
  );
  mountUpgradeRequired(app);
  if (config.cluster?.role === "front") {
    mountWorkerRoute(app, {
      findWorker(uri) {
        const key = readDestination(uri, toPathPrefix(publicUrl))?.key;
        return key === undefined ? undefined : services.entrances.findWorker(key);
      },
      isProxy(peer) {
        const address = readAddress(peer ?? "");
        return address !== undefined && isInRanges(address, config.trustedProxies);
      },
    });
  }
  const assets = mountAssets(app, "/assets/", readDashboardFiles());
  const swaggerUi = mountAssets(app, "/assets/swagger-ui/", readSwaggerUi());
  mountShared(app, services, config, ports);
  // Mount the dashboard last, because it serves a page for every remaining path.
  mountDashboard(app, services, config, { assets, swaggerUi }, ports);
  return { app, gateway: toGateway(services, config, log) };
}

/** Creates a worker's routes, for calls from front-ends and for connections from clients and viewers. */
function newWorkerRoutes(
  services: ServedServices,
  calls: WorkerCalls,
  { secrets, url, publicUrl }: Extract<Cluster, { role: "worker" }>,
  config: Config,
  ports: Ports,
): Routes {
  const { log, clock } = ports;
  // The worker's addresses begin with its own URL. Front-ends and nginx also forward requests for the deployment's
  // host.
  const own = { ...config, publicUrl: publicUrl ?? config.publicUrl };
  const app = newApp(own, ports);
  const { worker: id, instance } = services.store.fleet?.own ?? { worker: "", instance: "" };
  const worker = { id, instance, url: url.href };
  mountCluster(app, calls, { secrets, worker, proofs: callProofs, clock, log });
  mountUpgradeRequired(app);
  mountShared(app, services, own, ports);
  return { app, gateway: { ...toGateway(services, own, log), publicHost: config.publicUrl?.host } };
}

function newApp({ publicUrl, origins, trustedProxies }: Config, { clock, log }: Ports): ServiceApp {
  const isHttpsOnly = publicUrl?.protocol === "https:";
  const pathPrefix = toPathPrefix(publicUrl);
  return newServiceApp({ newRequestId: randomUUID, pathPrefix, origins, isHttpsOnly, trustedProxies, clock, log });
}

/** Adds the routes that every server has: the desktop page, metrics and health. */
function mountShared(app: ServiceApp, services: ServedServices, config: Config, { metrics }: Ports): void {
  const { entrances } = services;
  mountDesktopPage(app, {
    page: readDesktop(),
    isStarted: (key) => entrances.hasDesktop(key),
    origins: config.origins,
  });
  const access = { token: config.metricsToken, isOpen: isForThisMachine(config) };
  mountMetrics(app, { render: () => metrics.render(), ...access });
  mountHealth(app, { ...services, ...access });
}

function toGateway({ entrances }: ServedServices, { publicUrl, origins }: Config, log: Log): Routes["gateway"] {
  return {
    ...entrances,
    pathPrefix: toPathPrefix(publicUrl),
    publicHost: publicUrl?.host,
    origins: publicUrl ? new Set([...origins, publicUrl.origin]) : origins,
    renderRefusal(refusal) {
      const requestId = randomUUID();
      log.sample("upgrade.refused", { requestId, status: refusal.status, name: refusal.name, error: refusal.cause });
      return renderUpgradeRefusal(refusal, requestId);
    },
  };
}
