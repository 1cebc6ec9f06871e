import { env, exit, stderr, stdout, umask } from "node:process";
import { pipeline } from "node:stream/promises";
import { startCommand } from "../../../command-line/src/command-line.ts";
import { actAsOwner } from "../app/compose/rights.ts";
import { copyStorage } from "../app/compose/storage.ts";
import { readConfig } from "../config/config.ts";
import { expectDatabase } from "./command.ts";
import { BACKUP_COMMAND, VERSION } from "./installed.ts";

const USAGE = `${BACKUP_COMMAND} > backup.sqlite

Writes a copy of the SQLite database to standard output. The server can be running. Set RBS_DATA_DIR as for the server.
`;

async function main(): Promise<void> {
  startCommand({ usage: USAGE, version: VERSION });
  if (stdout.isTTY) throw new Error(`A backup is not text. Write it to a file: ${BACKUP_COMMAND} > backup.sqlite`);
  const config = readConfig(env);
  if (config.database !== undefined)
    throw new Error("The data is in PostgreSQL. Back it up with pg_dump: see docs/storage.md.");
  expectDatabase(config);
  await actAsOwner(config);
  umask(0o077);
  await using copy = await copyStorage(config);
  await pipeline(copy.createReadStream(), stdout);
}

main().catch((error: unknown) => {
  stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  exit(1);
});
