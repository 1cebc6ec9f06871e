import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { freePort } from "../machine/free-port.ts";
import { until } from "../until.ts";

const USER = "postgres";

/** A PgBouncer in front of a PostgreSQL server. Disposing stops it. */
export type PgBouncer = AsyncDisposable & {
  /** The database's URL through PgBouncer. */
  toUrl(url: string): string;
};

/** @param mode The pool mode, which determines how long a client keeps a server connection. */
export async function startPgBouncer(
  server: { readonly port: number },
  mode: "transaction" | "session" | "statement" = "transaction",
): Promise<PgBouncer> {
  const folder = mkdtempSync(join(tmpdir(), "rbs-pgbouncer-"));
  chmodSync(folder, 0o777);
  const port = await freePort();
  writeFileSync(join(folder, "users"), `"${USER}" ""\n`);
  writeFileSync(
    join(folder, "pgbouncer.ini"),
    `[databases]
* = host=127.0.0.1 port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, "users")}
pool_mode = ${mode}
default_pool_size = 2
ignore_startup_parameters = extra_float_digits
`,
  );
  const user = process.getuid?.() === 0 ? ["-u", USER] : [];
  const child = spawn("/usr/sbin/pgbouncer", ["-q", ...user, join(folder, "pgbouncer.ini")], { stdio: "ignore" });
  const toUrl = (url: string): string => Object.assign(new URL(url), { port: String(port) }).href;
  const canConnect = async (): Promise<boolean> => {
    const client = new Client({ connectionString: toUrl(`postgres://${USER}@127.0.0.1/postgres`) });
    client.on("error", () => {});
    try {
      await client.connect();
      await client.end();
      return true;
    } catch {
      return false;
    }
  };
  await until(canConnect, (isUp) => isUp);
  return {
    toUrl,
    async [Symbol.asyncDispose]() {
      const exit = once(child, "exit");
      child.kill("SIGKILL");
      await exit;
      rmSync(folder, { recursive: true });
    },
  };
}
