import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { systemClock } from "../adapters/system-clock/system-clock.ts";
import { findDashboardFiles, findSwaggerUi } from "../adapters/file-system/dashboard-files.ts";
import { readDesktopPage } from "../adapters/file-system/desktop-page-files.ts";
import { readPageFiles } from "../adapters/file-system/page-files.ts";
import type { PrometheusMetrics } from "../adapters/prometheus/prometheus-metrics.ts";
import { type Config, isForThisMachine } from "../config/config.ts";
import { mountDashboard } from "./dashboard.ts";
import { SELF_HOSTED } from "../domain/account/plan.ts";
import { mountAssets } from "../web/kit/assets.ts";
import { mountContract } from "../api/mount.ts";
import type { GatewayOptions } from "../gateway/gateway.ts";
import { toPathPrefix } from "../contract/path.ts";
import { newRateCheck } from "../api/rate.ts";
import { newServiceApp, type ServiceApp } from "../api/app.ts";
import { renderUpgradeRefusal } from "../gateway/upgrade-refusal.ts";
import type { Log } from "../ports/log.ts";
import { aiHandlers } from "../api/operations/ai.ts";
import { browserHandlers } from "../api/operations/browser.ts";
import { mountDesktopPage } from "../web/desktop-page/desktop-page.ts";
import { mountMetrics } from "../api/metrics.ts";
import { mountHealth } from "../api/health.ts";
import { remoteDesktopHandlers } from "../api/operations/desktop.ts";
import { mountUpgradeRequired } from "../api/upgrade-required.ts";
import type { Services } from "./services.ts";

/** What pages load stands beside their sources; compiled, beside the server. */
const WEB = fileURLToPath(new URL(import.meta.url.endsWith(".ts") ? "../web" : "web", import.meta.url));

export type RoutesOptions = {
  readonly log: Log;
  readonly metrics: PrometheusMetrics;
  /** DevTools clients and viewers, connected or connecting. */
  readonly connections: () => number;
};

/** All that a server answers: requests by the app, upgrades by a gateway with these options. */
export type Routes = { readonly app: ServiceApp; readonly gateway: Omit<GatewayOptions, "clock"> };

export function newRoutes(services: Services, config: Config, { log, metrics, connections }: RoutesOptions): Routes {
  const { auth: people, browsers, desktops, query, readiness, capacity, pool, gauges } = services;
  const { publicUrl, origins, rate } = config;
  const newRequestId = randomUUID;
  const pathPrefix = toPathPrefix(publicUrl);

  const app = newServiceApp({ newRequestId, pathPrefix, origins, log });
  mountContract(
    app,
    { ...browserHandlers(browsers, desktops), ...remoteDesktopHandlers(desktops), ...aiHandlers(query) },
    {
      authenticate: (token) => people.tokens.authenticate(token),
      checkRate: rate && newRateCheck(rate, ({ plan }) => plan === SELF_HOSTED.name),
      publicUrl,
      acquirePermit: { queryAi: (signal) => query.waitForPlace(signal) },
      clock: systemClock,
    },
  );
  mountUpgradeRequired(app);
  mountDesktopPage(app, {
    page: readDesktopPage(join(WEB, "desktop-page")),
    isStarted: (key) => desktops.findByKey(key) !== undefined,
    origins,
  });
  const assets = mountAssets(app, "/assets/", readPageFiles(findDashboardFiles(WEB)));
  const swaggerUi = mountAssets(app, "/assets/swagger-ui/", findSwaggerUi(WEB));
  metrics.addGauges(() => ({ ...gauges(), connections: connections() }));
  mountMetrics(app, {
    render: () => metrics.render(),
    token: config.metricsToken,
    isOpen: isForThisMachine(config),
  });
  mountHealth(app, { browsers, pool, capacity, readiness });
  // Last: to a person, it answers for everything that nobody else has.
  mountDashboard(app, services, config, { assets, swaggerUi, log });

  return {
    app,
    gateway: {
      findBrowser: (key) => browsers.findByKey(key),
      findDesktop: (key) => desktops.findByKey(key),
      pathPrefix,
      publicHost: publicUrl?.host,
      origins: publicUrl ? new Set([...origins, publicUrl.origin]) : origins,
      renderRefusal(refusal) {
        const requestId = newRequestId();
        log.info("upgrade.refused", { requestId, status: refusal.status, name: refusal.name, error: refusal.cause });
        return renderUpgradeRefusal(refusal, requestId);
      },
    },
  };
}
