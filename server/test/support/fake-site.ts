import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { PrometheusMetrics } from "../../src/adapters/prometheus/prometheus-metrics.ts";
import { type Config, readConfig } from "../../src/config/config.ts";
import type { Account } from "../../src/domain/account/account.ts";
import type { ServiceApp } from "../../src/api/app.ts";
import { listen } from "../../src/app/listen.ts";
import { type Services, startServices } from "../../src/app/services.ts";
import { newRoutes } from "../../src/app/routes.ts";
import { KeptLog } from "../fakes/kept-log.ts";
import { PASSWORD, type Person, signIn } from "./person.ts";

/** A server with fake browsers on a port, and what is behind it. */
export type FakeSite = AsyncDisposable & {
  readonly url: URL;
  readonly app: ServiceApp;
  readonly services: Services;
  readonly config: Config;
  readonly log: KeptLog;
  /** Makes an account with a plan, and signs in. @returns The person, with a token. */
  newMember(
    email: string,
    rights?: { readonly isOperator: boolean },
  ): Promise<{ person: Person; token: string; id: string }>;
  /** @throws {Error} When there is no such account. */
  accountOf(accountId: string): Promise<Account>;
};

export async function startFakeSite(settings: Record<string, string> = {}): Promise<FakeSite> {
  await using acquired = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "rbs-test-"));
  acquired.defer(() => rm(folder, { recursive: true }));
  const config = readConfig({ RBS_PORT: "0", RBS_DATA_DIR: folder, RBS_LOG_LEVEL: "silent", ...settings });
  const [log, metrics] = [new KeptLog(), new PrometheusMetrics()];
  const services = acquired.use(await startServices(config, { log, metrics, isFake: true }));
  acquired.defer(() => services.browsers.closeAll("shutdown"));
  const { promise, resolve } = Promise.withResolvers<ServiceApp>();
  const { url } = acquired.use(
    await listen(config, (connections) => {
      const site = newRoutes(services, config, { log, metrics, connections });
      resolve(site.app);
      return site;
    }),
  );
  const resources = acquired.move();
  return {
    url,
    app: await promise,
    services,
    config,
    log,
    async newMember(email, { isOperator } = { isOperator: false }) {
      const { id } = await services.accounts.signUp(email, PASSWORD);
      await services.store.accounts.change(id, { plan: "self-hosted", isOperator });
      const { token } = await services.accounts.renewToken(email, undefined);
      return { person: await signIn(url, email, PASSWORD), token, id };
    },
    async accountOf(accountId) {
      const account = await services.store.accounts.find(accountId);
      if (account === undefined) throw new Error(`There is no account ${accountId}.`);
      return account;
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** The paths of the pages, by method; operations of the contract and files are none. */
export function pagesOf({ app }: Pick<FakeSite, "app">, method: "GET" | "POST"): string[] {
  const isPage = (path: string): boolean =>
    !/^\/(?:api|assets|devtools|desktop|metrics|healthz|readyz)\b|\*|\.json$/.test(path);
  const paths = app.routes.filter((route) => route.method === method && isPage(route.path)).map(({ path }) => path);
  return [...new Set(paths)];
}

/** All that is kept of people, as it stands in the books' file. */
export function readBooks({ config }: Pick<FakeSite, "config">): Record<string, unknown[]> {
  const books = new DatabaseSync(join(config.dataDir, "service.sqlite"), { readOnly: true });
  try {
    const tables = ["accounts", "tokens", "sessions", "browsers"];
    return Object.fromEntries(tables.map((table) => [table, books.prepare(`select * from ${table}`).all()]));
  } finally {
    books.close();
  }
}
