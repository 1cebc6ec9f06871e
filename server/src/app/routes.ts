import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findDashboardFiles, findSwaggerUi } from "../adapters/file-system/dashboard-files.ts";
import { readDesktopPage } from "../adapters/file-system/desktop-page-files.ts";
import { readPageFiles } from "../adapters/file-system/page-files.ts";
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
import { newAiHandlers, newQueryAdmission } from "../api/operations/ai.ts";
import { newAccountHandlers } from "../api/operations/account.ts";
import { newBrowserHandlers } from "../api/operations/browser.ts";
import { mountDesktopPage } from "../web/desktop-page/desktop-page.ts";
import { mountMetrics } from "../api/metrics.ts";
import { mountHealth } from "../api/health.ts";
import { newDesktopHandlers } from "../api/operations/desktop.ts";
import { mountUpgradeRequired } from "../api/upgrade-required.ts";
import type { Ports } from "./ports.ts";
import type { Services } from "./services.ts";

/** The folder of the files that pages load: next to their sources, or next to the compiled server. */
const WEB = fileURLToPath(new URL(import.meta.url.endsWith(".ts") ? "../web" : "web", import.meta.url));

/** The app answers requests; a gateway with these options answers upgrades. */
export type Routes = { readonly app: ServiceApp; readonly gateway: Omit<GatewayOptions, "clock"> };

/** @param connections How many DevTools clients and viewers are connected or connecting. */
export function newRoutes(services: Services, config: Config, ports: Ports, connections: () => number): Routes {
  const { clock, log, metrics } = ports;
  const { auth, residents, fleet, records, subscriptions, desktops, query, readiness, capacity, pool, gauges } =
    services;
  const { publicUrl, origins, rate } = config;
  const newRequestId = randomUUID;
  const pathPrefix = toPathPrefix(publicUrl);

  const isHttpsOnly = publicUrl?.protocol === "https:";
  const app = newServiceApp({ newRequestId, pathPrefix, origins, isHttpsOnly, log });
  mountContract(
    app,
    {
      ...newBrowserHandlers(fleet, records),
      ...newDesktopHandlers(fleet),
      ...newAccountHandlers(subscriptions),
      ...newAiHandlers(query),
    },
    {
      authenticate: (token) => auth.tokens.authenticate(token),
      checkRate: rate && newRateCheck(rate, ({ plan }) => plan === SELF_HOSTED.name),
      publicUrl,
      admission: { queryAi: newQueryAdmission(query) },
      clock,
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
  mountHealth(app, { residents, pool, capacity, readiness });
  // Mounted last: it answers all remaining paths with a page.
  mountDashboard(app, services, config, { assets, swaggerUi, clock, log });

  return {
    app,
    gateway: {
      findBrowser: (key) => residents.findByKey(key),
      findDesktop: (key) => desktops.findByKey(key),
      findWorker: () => undefined,
      pathPrefix,
      publicHost: publicUrl?.host,
      origins: publicUrl ? new Set([...origins, publicUrl.origin]) : origins,
      renderRefusal(refusal) {
        const requestId = newRequestId();
        log.sample("upgrade.refused", { requestId, status: refusal.status, name: refusal.name, error: refusal.cause });
        return renderUpgradeRefusal(refusal, requestId);
      },
    },
  };
}
