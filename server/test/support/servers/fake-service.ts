import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Service, startService } from "../../../src/app/app.ts";
import { newFakePlatform } from "../../../src/app/compose/browser-host.ts";
import { openStorage } from "../../../src/app/compose/storage.ts";
import { readConfig } from "../../../src/config/config.ts";
import type { NewAccount } from "../../../src/services/accounts/accounts.ts";
import { FakeHasher } from "../../fakes/fake-hasher.ts";
import type { Answered } from "./call.ts";
import { expectDeclared } from "./contract-check.ts";
import { emptyDatabase } from "../databases/stores.ts";

export type FakeService = AsyncDisposable & {
  readonly service: Service;
  readonly token: string;
  /** The path of the database, which tests may read and write. */
  readonly database: string;
  /** Sends a body unchanged, and checks that the response matches the contract. */
  send(method: string, path: string, body?: string, headers?: Record<string, string>): Promise<Answered>;
  /** Creates another account, by default without a subscription. @returns Its token. */
  newAccount(wanted?: Partial<NewAccount>): Promise<string>;
  accountIdOf(email: string): string;
  /** POSTs JSON with the first account's token. */
  post(path: string, body?: unknown): Promise<Answered>;
};

/** Starts a server on its own port, with fake browsers and unhashed passwords. */
export async function startFakeService(
  settings: Record<string, string> = {},
  overrides: Parameters<typeof startService>[1] = {},
): Promise<FakeService> {
  const folder = await mkdtemp(join(tmpdir(), "rbs-test-"));
  await writeFile(join(folder, "service.sqlite"), await emptyDatabase());
  const folders = { RBS_DATA_DIR: folder, RBS_WORK_DIR: join(folder, "work") };
  const config = readConfig({ RBS_PORT: "0", ...folders, RBS_LOG_LEVEL: "silent", ...settings });
  const service = await startService(config, { platform: newFakePlatform(), hasher: new FakeHasher(), ...overrides });
  const database = join(config.dataDir, "service.sqlite");
  const token = service.firstAccount?.token ?? "";
  const send: FakeService["send"] = async (method, path, body, headers = {}) => {
    const answer = await fetch(new URL(path, service.url), {
      method,
      headers: { Authorization: `Bearer ${token}`, ...headers },
      ...(body === undefined ? {} : { body }),
    });
    const json = (await answer.json()) as Record<string, unknown>;
    expectDeclared(path, method, answer.status, answer.headers, json);
    return { status: answer.status, headers: answer.headers, body: json };
  };
  return {
    service,
    token,
    database,
    send,
    async newAccount(wanted = {}) {
      await using storage = await openStorage(config);
      const email = `${randomUUID()}@example.com`;
      const none = { plan: undefined, parallel: undefined, units: undefined, token: undefined };
      return (await storage.accounts.create({ email, ...none, ...wanted })).token;
    },
    accountIdOf(email) {
      using opened = new DatabaseSync(database, { readOnly: true });
      return String(opened.prepare("select id from accounts where email_key = ?").get(email.toLowerCase())?.["id"]);
    },
    post: (path, body) =>
      send("POST", path, body === undefined ? undefined : JSON.stringify(body), { "Content-Type": "application/json" }),
    async [Symbol.asyncDispose]() {
      await service.stop();
      await rm(folder, { recursive: true });
    },
  };
}
