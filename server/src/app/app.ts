import { systemClock } from "../adapters/system-clock/system-clock.ts";
import { pinoLog } from "../adapters/pino/pino-log.ts";
import { PrometheusMetrics } from "../adapters/prometheus/prometheus-metrics.ts";
import type { Config } from "../config/config.ts";
import type { Log } from "../ports/log.ts";
import { listen } from "./listen.ts";
import { startServices } from "./services.ts";
import type { Verdict } from "../services/browsers/readiness.ts";
import { newRoutes } from "./routes.ts";

/** A server that listens. */
export type Service = {
  /** Where it listens: what a person opens. */
  readonly url: URL;
  readonly log: Log;
  /** The operator's account, when this start has made it. */
  readonly firstAccount: { readonly email: string; readonly token: string; readonly password: string } | undefined;
  /** What the operator has to know about this start, a sentence each. */
  readonly warnings: readonly string[];
  /** Whether a browser can be opened, tried with a real one. */
  readonly ready: () => Promise<Verdict>;
  /**
   * Refuses new browsers, waits `RBS_DRAIN_S` for the open ones, ends them and gives everything back. Never rejects; a
   * second call waits for the first.
   */
  readonly stop: () => Promise<void>;
};

/**
 * Wires everything together and listens.
 * @param isFake Browsers are faked: no Chromium runs, and DevTools answers a handful of commands.
 * @throws {Error} When the data folder is in use or unusable, or the port is taken.
 */
export async function startService(config: Config, { isFake }: { readonly isFake: boolean }): Promise<Service> {
  await using acquired = new AsyncDisposableStack();
  const log = pinoLog(config.logLevel);
  const metrics = new PrometheusMetrics();
  const services = acquired.use(await startServices(config, { log, metrics, isFake }));
  const { accounts, browsers, readiness, pool, capacity, warm, warnings } = services;
  const { url } = acquired.use(
    await listen(config, (connections) => newRoutes(services, config, { log, metrics, connections })),
  );
  // Only now: its token is shown this once, and a start that fails would take it along.
  const firstAccount = await accounts.createFirst();
  log.info("server.started", {
    port: Number(url.port),
    isolation: isFake ? "fake browsers" : config.isolation,
    capacity: capacity.limit,
    launches: config.launches,
    warm,
  });

  const resources = acquired.move();
  const stop = async (): Promise<void> => {
    browsers.refuse();
    // Nobody will open them any more; the drain need not wait for that.
    void pool[Symbol.asyncDispose]();
    const cancelled = new Promise<void>((resolve) => systemClock.after(config.drainMs, resolve));
    await Promise.race([browsers.idle(), cancelled]);
    await browsers.closeAll("shutdown");
    await resources.disposeAsync();
    log.info("server.stopped");
  };
  let stopping: Promise<void> | undefined;
  return { url, log, firstAccount, warnings, ready: () => readiness.check(), stop: () => (stopping ??= stop()) };
}
