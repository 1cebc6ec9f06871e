import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import type { Server } from "node:http";
import { join } from "node:path";
import { createAdaptorServer } from "@hono/node-server";
import { systemClock } from "./adapters/clock/system-clock.ts";
import { openHost } from "./host.ts";
import { FakeHost } from "./adapters/fake-browser/fake-host.ts";
import { pinoLog } from "./adapters/pino/pino-log.ts";
import { lockFolder } from "./adapters/sqlite/lock.ts";
import { openSqliteStore } from "./adapters/sqlite/sqlite-store.ts";
import type { Config } from "./config.ts";
import { followAnswers } from "./http/answers.ts";
import { mountContract } from "./http/contract.ts";
import { type Gateway, attachGateway } from "./http/gateway/gateway.ts";
import { isWebSocketUpgrade } from "./http/gateway/upgrade-rules.ts";
import { toPathPrefix } from "./http/path.ts";
import { rateCheck } from "./http/rate.ts";
import { newService } from "./http/service.ts";
import { renderUpgradeRefusal } from "./http/upgrade-refusal.ts";
import type { Log } from "./ports/log.ts";
import { SELF_HOSTED } from "./domain/plan.ts";
import { aiHandlers } from "./routes/ai.ts";
import { browserHandlers } from "./routes/browser.ts";
import { prepareOwnFolder } from "./adapters/file-system/own-folder.ts";
import { mountDevtools } from "./routes/devtools.ts";
import { mountHome } from "./routes/home.ts";
import { mountOperatorRoutes } from "./routes/operator.ts";
import { remoteDesktopHandlers } from "./routes/remote-desktop.ts";
import { Accounts } from "./services/accounts.ts";
import { Browsers } from "./services/browsers.ts";
import { Capacity } from "./services/capacity.ts";
import { Readiness, type Verdict } from "./services/readiness.ts";

const DATABASE = "service.sqlite";
const LOCK = "server.lock";
/** How long a client may take to send a request and to hear its answer, once all browsers of a stopping server ended. */
const LAST_ANSWERS_MS = 1000;

/** A server that listens. */
export type Service = {
  /** Where it listens: what a person opens. */
  readonly url: URL;
  readonly log: Log;
  /** The operator's account, when this start has made it. */
  readonly firstAccount: { readonly email: string; readonly token: string } | undefined;
  /** Whether a browser can be opened, tried with a real one. */
  readonly ready: () => Promise<Verdict>;
  /**
   * Refuses new browsers, waits `RBS_DRAIN_S` for the open ones, ends them and gives everything back. Never rejects; a
   * second call waits for the first.
   */
  readonly stop: () => Promise<void>;
};

/** The accounts in a data folder, for the command line; works beside a running server. */
export async function openAccounts(config: Config): Promise<AsyncDisposable & { readonly accounts: Accounts }> {
  await prepareOwnFolder(config.dataDir, 0o700);
  const store = await openSqliteStore(join(config.dataDir, DATABASE));
  return {
    accounts: new Accounts({
      store: store.accounts,
      plans: config.plans,
      clock: systemClock,
      newId: randomUUID,
      randomBytes,
    }),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

/**
 * Wires everything together and listens.
 * @param isFake Browsers are faked: no Chromium runs, and DevTools answers a handful of commands.
 * @throws {Error} When the data folder is in use or unusable, or the port is taken.
 */
export async function startService(config: Config, { isFake }: { readonly isFake: boolean }): Promise<Service> {
  await using acquired = new AsyncDisposableStack();
  const log = pinoLog(config.logLevel);
  const clock = systemClock;
  const newId = (): string => randomBytes(6).toString("hex");
  await prepareOwnFolder(config.dataDir, 0o700);
  acquired.use(lockFolder(join(config.dataDir, LOCK)));
  await prepareOwnFolder(config.workDir, 0o711);
  if (config.workDir !== config.dataDir) acquired.use(lockFolder(join(config.workDir, LOCK)));
  const store = acquired.use(await openSqliteStore(join(config.dataDir, DATABASE)));
  const lost = await store.browsers.closeLost();
  if (lost > 0) log.warn("browsers.lost", { browsers: lost });

  const accounts = new Accounts({ store: store.accounts, plans: config.plans, clock, newId: randomUUID, randomBytes });
  const host = acquired.use(isFake ? new FakeHost() : await openHost(config, log));
  const capacity = new Capacity(config.capacity);
  const browsers = new Browsers({
    host,
    store: store.browsers,
    plans: config.plans,
    capacity,
    clock,
    log,
    newId,
    newKey: () => randomBytes(24).toString("base64url"),
  });
  const readiness = new Readiness({ host, capacity, clock, newId, log, signal: browsers.shutdown });

  const newRequestId = randomUUID;
  const pathPrefix = toPathPrefix(config.publicUrl);
  const app = newService({ newRequestId, pathPrefix, origins: config.origins, log });
  mountContract(
    app,
    { ...browserHandlers(browsers), ...remoteDesktopHandlers(browsers), ...aiHandlers },
    {
      authenticate: (token) => accounts.authenticate(token),
      checkRate: config.rate && rateCheck(config.rate, ({ plan }) => plan === SELF_HOSTED.name),
      publicUrl: config.publicUrl,
    },
  );
  mountDevtools(app);
  mountHome(app);
  mountOperatorRoutes(app, { browsers, capacity, readiness });

  const server = createAdaptorServer({
    fetch: app.fetch,
    serverOptions: { shouldUpgradeCallback: isWebSocketUpgrade },
  }) as Server;
  const gateway = attachGateway(server, {
    find: (key) => browsers.findByKey(key),
    pathPrefix,
    publicHost: config.publicUrl?.host,
    origins: config.publicUrl ? new Set([...config.origins, config.publicUrl.origin]) : config.origins,
    renderRefusal(refusal) {
      const requestId = newRequestId();
      log.info("upgrade.refused", { requestId, status: refusal.status, name: refusal.name, error: refusal.cause });
      return renderUpgradeRefusal(refusal, requestId);
    },
    after: (delayMs, call) => clock.after(delayMs, call),
  });
  const answersWritten = followAnswers(server);
  const url = await listen(server, config);
  // Only now: its token is shown this once, and a start that fails would take it along.
  const firstAccount = await accounts.createFirst();
  log.info("server.started", {
    port: Number(url.port),
    isolation: isFake ? "fake browsers" : config.isolation,
    capacity: config.capacity,
  });

  const resources = acquired.move();
  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    browsers.refuse();
    const cancelled = new Promise<void>((resolve) => clock.after(config.drainMs, resolve));
    await Promise.race([browsers.idle(), cancelled]);
    await browsers.closeAll("shutdown");
    const late = new Promise<void>((resolve) => clock.after(LAST_ANSWERS_MS, resolve));
    await closeServer(server, gateway, Promise.race([answersWritten(), late]));
    await resources.disposeAsync();
    log.info("server.stopped");
  };
  return { url, log, firstAccount, ready: () => readiness.check(), stop: () => (stopping ??= stop()) };
}

async function listen(server: Server, { host, port }: Config): Promise<URL> {
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (cause) {
    throw new Error(`Port ${port} of ${host} can't be listened on: set RBS_PORT or RBS_HOST to others.`, { cause });
  }
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server listens on no port.");
  // What a person can open: a server that listens everywhere is reached on this machine by its own name.
  const name = ["0.0.0.0", "::"].includes(host) ? "localhost" : host.includes(":") ? `[${host}]` : host;
  return new URL(`http://${name}:${address.port}`);
}

/** @param answered Resolves when the answers under way are written; connections that only wait are closed at once. */
async function closeServer(server: Server, gateway: Gateway, answered: Promise<void>): Promise<void> {
  const closed = once(server, "close");
  server.close();
  await Promise.all([gateway[Symbol.asyncDispose](), answered]);
  server.closeAllConnections();
  await closed;
}
