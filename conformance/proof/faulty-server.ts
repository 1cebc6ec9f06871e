import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HttpBindings } from "@hono/node-server";
import { openStandInModel } from "../../clients/test/stand-in-model.ts";
import { pinoLog } from "../../server/src/adapters/pino/pino-log.ts";
import { PrometheusMetrics } from "../../server/src/adapters/prometheus/prometheus-metrics.ts";
import { openStorage } from "../../server/src/app/storage.ts";
import { readConfig } from "../../server/src/config/config.ts";
import type { ServiceApp } from "../../server/src/api/app.ts";
import { listen } from "../../server/src/app/listen.ts";
import { type Services, startServices } from "../../server/src/app/services.ts";
import { newRoutes } from "../../server/src/app/routes.ts";
import { SPECIAL_ACCOUNTS, type SpecialAccount } from "../src/registry/rule.ts";
import { openFront } from "./front.ts";
import type { Fault } from "./mutant.ts";
import { PLANS } from "./plans.ts";
import { quickQuery } from "./quick-query.ts";

const PLAN_OF: Readonly<Record<SpecialAccount, keyof typeof PLANS | "self-hosted" | undefined>> = {
  "no-subscription": undefined,
  "no-units": "empty",
  "few-units": "few",
  limited: "limited",
  "other-account": "self-hosted",
  "rate-limited": "limited",
};

/** The reference server on fake browsers, with at most one fault. Disposing stops it, and removes what it kept. */
export type FaultyServer = AsyncDisposable & {
  readonly url: URL;
  /** Of an account without limits. */
  readonly token: string;
  readonly tokens: Readonly<Record<SpecialAccount, string>>;
};

/** @param fault Undefined for the correct server, as it is. */
export async function startFaultyServer(fault?: Fault): Promise<FaultyServer> {
  await using acquired = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "rbs-proof-"));
  acquired.defer(() => rm(folder, { recursive: true }));
  const plans = join(folder, "plans.json");
  await writeFile(plans, JSON.stringify({ ...PLANS, ...fault?.plans }));
  const model = acquired.use(await openStandInModel());
  const config = readConfig({
    RBS_PORT: "0",
    // Fake browsers need next to nothing, and some mutants never close theirs.
    RBS_CAPACITY: "1000",
    RBS_DATA_DIR: folder,
    RBS_PLANS: plans,
    RBS_RATE: "150/5",
    RBS_LOG_LEVEL: "silent",
    ANTHROPIC_API_KEY: "of-the-stand-in",
    ANTHROPIC_BASE_URL: model.url,
    ...fault?.settings,
  });
  const log = pinoLog(config.logLevel);
  const metrics = new PrometheusMetrics();
  const right = acquired.use(await startServices(config, { log, metrics, isFake: true }));
  const services = fault === undefined ? right : withFault(right, fault, quickQuery(config, log, metrics));
  const { url } = acquired.use(
    await listen(config, (connections) => {
      const { app, gateway } = newRoutes(services, config, { log, metrics, connections });
      return {
        app: fault?.answer === undefined ? app : withAnswer(app, fault.answer),
        gateway: fault?.gateway?.(gateway) ?? gateway,
      };
    }),
  );
  const front = fault?.handshake && acquired.use(await openFront(url, fault.handshake));
  acquired.defer(async () => {
    right.browsers.refuse();
    await right.browsers.closeAll("shutdown");
  });

  await using books = await openStorage(config);
  const newToken = async (plan: string | undefined): Promise<string> => {
    const none = { parallel: undefined, units: undefined, token: undefined };
    return (await books.accounts.create({ email: `${randomUUID()}@example.com`, plan, ...none })).token;
  };
  const token = await newToken("self-hosted");
  const pairs = await Promise.all(SPECIAL_ACCOUNTS.map(async (name) => [name, await newToken(PLAN_OF[name])] as const));
  const tokens = Object.fromEntries(pairs) as Record<SpecialAccount, string>;
  const resources = acquired.move();
  return { url: front?.url ?? url, token, tokens, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

function withFault(right: Services, fault: Fault, query: Services["query"]): Services {
  const quick = { ...right, query };
  return fault.services?.(quick) ?? quick;
}

function withAnswer(app: ServiceApp, answer: NonNullable<Fault["answer"]>): ServiceApp {
  const fetch: ServiceApp["fetch"] = (request, ...rest) =>
    answer(request, async (next) => {
      const response = await app.fetch(next, ...rest);
      // The app gives the id to Node directly; a fault is to see it, and to take it away.
      const outgoing = (rest[0] as HttpBindings | undefined)?.outgoing;
      const requestId = outgoing?.getHeader("X-Request-Id");
      outgoing?.removeHeader("X-Request-Id");
      const headers = new Headers(response.headers);
      if (typeof requestId === "string") headers.set("X-Request-Id", requestId);
      return new Response(response.body, { status: response.status, headers });
    });
  return Object.assign(Object.create(app) as ServiceApp, { fetch });
}
