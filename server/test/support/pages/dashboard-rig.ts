import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Config, readConfig } from "../../../src/config/config.ts";
import type { Account } from "../../../src/domain/account/account.ts";
import type { ServiceApp } from "../../../src/api/app.ts";
import type { Services } from "../../../src/app/roles/local.ts";
import { openTestServer } from "../../interface.ts";
import { RecordingLog } from "../../fakes/recording-log.ts";
import { PASSWORD, type PageUser, signIn } from "./page-user.ts";
import { emptyDatabase } from "../databases/stores.ts";

/** A server with fake browsers, its services and its pages. */
export type DashboardRig = AsyncDisposable & {
  readonly url: URL;
  readonly app: ServiceApp;
  readonly services: Services;
  readonly config: Config;
  readonly log: RecordingLog;
  /** Creates an account with a plan, and signs in. @returns The signed-in user, with a token and the account id. */
  newMember(
    email: string,
    rights?: { readonly isOperator: boolean },
  ): Promise<{ user: PageUser; token: string; id: string }>;
  /** @throws {Error} If the account doesn't exist. */
  accountOf(accountId: string): Promise<Account>;
};

/** @param overrides Ports that replace the test server's own. */
export async function startDashboardRig(
  settings: Record<string, string> = {},
  overrides: Parameters<typeof openTestServer>[1] = {},
): Promise<DashboardRig> {
  await using acquired = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "rbs-test-"));
  acquired.defer(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "service.sqlite"), await emptyDatabase());
  const folders = { RBS_DATA_DIR: folder, RBS_WORK_DIR: join(folder, "work") };
  const config = readConfig({ RBS_PORT: "0", ...folders, RBS_LOG_LEVEL: "silent", ...settings });
  const log = new RecordingLog();
  const { url, app, services } = acquired.use(await openTestServer(config, { log, ...overrides }));
  const resources = acquired.move();
  return {
    url,
    app,
    services,
    config,
    log,
    async newMember(email, { isOperator } = { isOperator: false }) {
      const { id } = await services.accounts.signUp(email, PASSWORD);
      await services.store.accounts.change(id, { plan: "self-hosted", isOperator });
      const { token } = await services.accounts.renewToken(email, undefined);
      return { user: await signIn(url, email, PASSWORD), token, id };
    },
    async accountOf(accountId) {
      const account = await services.store.accounts.find(accountId);
      if (account === undefined) throw new Error(`Account ${accountId} doesn't exist.`);
      return account;
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** Returns the paths of all pages that accept a method, excluding files and the contract's operations. */
export function pagesOf({ app }: Pick<DashboardRig, "app">, method: "GET" | "POST"): string[] {
  const isPage = (path: string): boolean =>
    !/^\/(?:api|assets|devtools|desktop|metrics|healthz|readyz)\b|\*|\.json$/.test(path);
  const paths = app.routes.filter((route) => route.method === method && isPage(route.path)).map(({ path }) => path);
  return [...new Set(paths)];
}

/** Returns all rows of the tables that contain user data. */
export function readTables({ config }: Pick<DashboardRig, "config">): Record<string, unknown[]> {
  const database = new DatabaseSync(join(config.dataDir, "service.sqlite"), { readOnly: true });
  try {
    const tables = ["accounts", "tokens", "sessions", "browsers", "ended_browsers"];
    return Object.fromEntries(tables.map((table) => [table, database.prepare(`select * from ${table}`).all()]));
  } finally {
    database.close();
  }
}
