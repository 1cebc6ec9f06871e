import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type FakeService, startFakeService } from "./fake-service.ts";

/** A server with fake browsers, whose database a test may look into and write to beside it. */
export type OnDisk = AsyncDisposable & {
  readonly fake: FakeService;
  readonly url: URL;
  /** The database. */
  readonly file: string;
  accountIdOf(email: string): string;
};

export async function startOnDisk(settings: Record<string, string> = {}): Promise<OnDisk> {
  const folder = await mkdtemp(join(tmpdir(), "rbs-disk-"));
  const fake = await startFakeService({ RBS_DATA_DIR: folder, RBS_WORK_DIR: join(folder, "work"), ...settings });
  const file = join(folder, "service.sqlite");
  return {
    fake,
    url: fake.service.url,
    file,
    accountIdOf(email) {
      const database = new DatabaseSync(file, { readOnly: true });
      try {
        return String(database.prepare("select id from accounts where email_key = ?").get(email.toLowerCase())?.["id"]);
      } finally {
        database.close();
      }
    },
    async [Symbol.asyncDispose]() {
      await fake[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
