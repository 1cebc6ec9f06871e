import { randomBytes } from "node:crypto";
import { newLazyModel } from "../../adapters/anthropic/lazy-model.ts";
import { newArgon2Hasher } from "../../adapters/argon2/argon2-hasher.ts";
import { newProxyProbe } from "../../adapters/egress-proxy/egress.ts";
import { newPinoLog } from "../../adapters/pino/pino-log.ts";
import { PrometheusMetrics } from "../../adapters/prometheus/prometheus-metrics.ts";
import { systemClock } from "../../adapters/node/system-clock.ts";
import { WorkerThreads } from "../../adapters/node/worker-threads.ts";
import type { Config } from "../../config/config.ts";
import type { Clock } from "../../ports/clock.ts";
import type { LanguageModel } from "../../ports/language-model.ts";
import type { LogOutput } from "../../ports/log.ts";
import type { Metrics } from "../../ports/metrics.ts";
import type { PasswordHasher } from "../../ports/password-hasher.ts";
import { type Rights, ordinaryRights } from "../../ports/rights.ts";
import type { ProxyProbe } from "../../ports/proxy-probe.ts";
import type { Threads } from "../../ports/threads.ts";
import { type BrowserPlatform, chromiumPlatform } from "./browser-host.ts";

/** Threads that process the pages and schemas of queries. Each task uses a core for up to half a second. */
const QUERY_THREADS = 2;

/** The adapters that a server uses. Tests replace some adapters. */
export type Ports = {
  readonly log: LogOutput;
  readonly metrics: Metrics & Pick<PrometheusMetrics, "addGauges" | "render">;
  readonly clock: Clock;
  readonly platform: BrowserPlatform;
  readonly hasher: PasswordHasher;
  readonly model: LanguageModel;
  /** Threads that process queries' pages and schemas. */
  readonly threads: Threads;
  readonly proxyProbe: ProxyProbe;
  readonly rights: Rights;
};

/** Adds the real adapter for each port without an override. */
export function toPorts(config: Config, overrides: Partial<Ports> = {}): Ports {
  const { clock = systemClock, log = newPinoLog({ level: config.logLevel, format: config.logFormat }) } = overrides;
  return {
    clock,
    log,
    metrics: overrides.metrics ?? new PrometheusMetrics(),
    platform: overrides.platform ?? chromiumPlatform,
    hasher: overrides.hasher ?? newArgon2Hasher({ randomBytes, clock }),
    model: overrides.model ?? newLazyModel({ ...config.ai, clock }),
    threads: overrides.threads ?? new WorkerThreads({ atOnce: QUERY_THREADS, clock }),
    proxyProbe: overrides.proxyProbe ?? newProxyProbe(),
    rights: overrides.rights ?? ordinaryRights,
  };
}
