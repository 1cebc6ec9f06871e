import { existsSync } from "node:fs";
import { join } from "node:path";
import { env, exit, stderr, stdout, umask } from "node:process";
import { pipeline } from "node:stream/promises";
import { actAsOwner } from "../app/rights.ts";
import { DATABASE, copyStorage } from "../app/storage.ts";
import { readConfig } from "../config/config.ts";
import { BACKUP_COMMAND } from "./installed.ts";

/** Writes a copy of the database to standard output. */
async function main(): Promise<void> {
  if (stdout.isTTY) throw new Error(`A backup is not text. Write it to a file: ${BACKUP_COMMAND} > backup.sqlite`);
  const config = readConfig(env);
  const { dataDir, database } = config;
  if (database !== undefined)
    throw new Error("The data is in PostgreSQL. Back it up with pg_dump: see docs/storage.md.");
  if (!existsSync(join(dataDir, DATABASE)))
    throw new Error(`${dataDir} has no ${DATABASE}. Set RBS_DATA_DIR to the server's data folder.`);
  await actAsOwner(config);
  umask(0o077);
  await using copy = await copyStorage(config);
  await pipeline(copy.createReadStream(), stdout);
}

main().catch((error: unknown) => {
  stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  exit(1);
});
