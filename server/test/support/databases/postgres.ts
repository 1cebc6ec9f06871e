import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { OWN_TIME, toFakeTime, toOffset } from "../machine/fake-time.ts";
import { freePort } from "../machine/free-port.ts";
import { descendants, kill, listProcesses } from "../machine/processes.ts";
import { until } from "../until.ts";

const PROGRAMS = "/usr/lib/postgresql";
/** Cached data folders, which are copied for new servers. */
const KEPT = fileURLToPath(new URL("../../../../node_modules/.cache/postgres", import.meta.url));
const START_MS = 30_000;
const USER = "postgres";

/**
 * Debian's PostgreSQL server in its own folder. The server doesn't wait for the disk unless `fsync` is on. Disposing
 * stops the server.
 */
export type Postgres = AsyncDisposable & {
  readonly port: number;
  /** The URL of the server's default database. */
  readonly url: string;
  readonly pid: number;
  /**
   * Creates a database, which is empty by default.
   * @param template The URL of a database to copy, which must have no connections.
   * @returns Its URL.
   */
  createDatabase(template?: string): Promise<string>;
  query<Row>(sql: string, url?: string): Promise<Row[]>;
  /** Stops the server as `pg_ctl` does, and waits until it has exited. */
  stop(mode: "fast" | "immediate"): Promise<void>;
  /** Restarts the server in the same folder, unless it is running. Resolves when the server accepts connections. */
  start(): Promise<void>;
  /** Suspends all server processes, as if the machine hung. Disposing resumes them. */
  freeze(): Disposable;
  /** Fills the disk. Requires `diskMb`. Disposing frees the space. */
  fillDisk(): Disposable;
  /** Sets the offset of the server's clock from this machine's clock. Requires `hasClock`. */
  setClock(offsetS: number): void;
  readonly folder: string;
};

type PostgresOptions = {
  /** Stores the files on a disk of this size. */
  readonly diskMb?: number | undefined;
  /** The parent of the server's folder. Must be accessible to all users. */
  readonly parent?: string;
  /** Whether the clock can be changed. Requires libfaketime. */
  readonly hasClock?: boolean;
};

/** @param settings Settings for `postgresql.conf`. */
export async function startPostgres(
  settings: Readonly<Record<string, string | number>> = {},
  { diskMb, parent = tmpdir(), hasClock = false }: PostgresOptions = {},
): Promise<Postgres> {
  const folder = mkdtempSync(join(parent, "rbs-postgres-"));
  const [uid, gid] = findUser();
  chmodSync(folder, 0o755);
  if (diskMb !== undefined) execFileSync("mount", ["-t", "tmpfs", "-o", `size=${diskMb}m`, "none", folder]);
  chownSync(folder, uid, gid);
  const data = join(folder, "data");
  initialize(data, uid, gid);
  // Accept connections from the tests' networks.
  appendFileSync(join(data, "pg_hba.conf"), "host all all samenet trust\n");
  const port = await freePort();
  const all = {
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: folder,
    shared_buffers: "32MB",
    fsync: "off",
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = '${value}'`);
  writeFileSync(join(data, "postgresql.auto.conf"), `${lines.join("\n")}\n`);
  // Stored outside the server's disk, which may be full.
  const clock = `${folder}-clock`;
  const setClock = (offsetS: number): void => writeFileSync(clock, toOffset(OWN_TIME.offsetS + offsetS));
  if (hasClock) setClock(0);
  const env = { ...process.env, ...(hasClock && toFakeTime(clock)) };
  const url = `postgres://${USER}@127.0.0.1:${port}/postgres`;
  let child: ChildProcess | undefined;
  const isRunning = (): boolean => child !== undefined && child.exitCode === null && child.signalCode === null;
  const query = async <Row>(sql: string, at = url): Promise<Row[]> => {
    const client = new Client({ connectionString: at });
    client.on("error", () => {});
    await client.connect();
    try {
      return (await client.query(sql)).rows as Row[];
    } finally {
      await client.end();
    }
  };
  const start = async (): Promise<void> => {
    await until(
      async () => {
        // The server exits if it can't recover, for example because the disk is full.
        if (!isRunning())
          child = spawn(program("postgres"), ["-D", data], { uid, gid, stdio: "ignore", cwd: folder, env });
        return query("select 1").then(
          () => true,
          () => false,
        );
      },
      (isUp) => isUp,
      START_MS,
    );
  };
  const stop = async (mode: "fast" | "immediate"): Promise<void> => {
    if (child === undefined || !isRunning()) return;
    const exit = once(child, "exit");
    // https://www.postgresql.org/docs/current/server-shutdown.html
    child.kill(mode === "fast" ? "SIGINT" : "SIGQUIT");
    await exit;
  };
  await start();
  let databases = 0;
  return {
    port,
    url,
    folder,
    get pid() {
      return child?.pid ?? 0;
    },
    query,
    start,
    stop,
    freeze() {
      const pid = child?.pid ?? 0;
      // Suspend the main process first, so that it can't start more processes.
      process.kill(pid, "SIGSTOP");
      const processes = descendants(listProcesses(), pid);
      // Some processes may already have exited.
      for (const one of processes) kill(one, "SIGSTOP");
      return { [Symbol.dispose]: () => [{ pid }, ...processes].forEach((one) => kill(one, "SIGCONT")) };
    },
    fillDisk() {
      const filler = join(folder, "filler");
      execFileSync("sh", ["-c", 'dd if=/dev/zero of="$0" bs=1M || true', filler], { stdio: "ignore" });
      return { [Symbol.dispose]: () => rmSync(filler) };
    },
    setClock,
    async createDatabase(template) {
      const name = `test_${(databases += 1)}`;
      const copied = template === undefined ? "" : ` template ${basename(new URL(template).pathname)}`;
      await query(`create database ${name}${copied}`);
      return `postgres://${USER}@127.0.0.1:${port}/${name}`;
    },
    async [Symbol.asyncDispose]() {
      await stop("immediate");
      if (diskMb !== undefined) execFileSync("umount", [folder]);
      rmSync(folder, { recursive: true, force: true });
      rmSync(clock, { force: true });
    },
  };
}

/**
 * Creates a server's data folder. `initdb` takes longer than most tests, so its result is cached.
 * @param data The folder, which must not exist yet. Its parent must belong to `uid`.
 */
function initialize(data: string, uid: number, gid: number): void {
  const args = ["-U", USER, "-E", "UTF8", "--locale=C", "-A", "trust", "--no-sync"];
  const version = execFileSync(program("postgres"), ["--version"], { encoding: "utf8" });
  const kept = join(
    KEPT,
    `${uid}-${createHash("sha256")
      .update(version + args.join(" "))
      .digest("hex")
      .slice(0, 16)}`,
  );
  if (existsSync(kept)) {
    execFileSync("cp", ["-a", kept, data]);
    return;
  }
  execFileSync(program("initdb"), ["-D", data, ...args], { uid, gid, stdio: "ignore", cwd: dirname(data) });
  mkdirSync(KEPT, { recursive: true });
  const unfinished = `${kept}-${process.pid}`;
  execFileSync("cp", ["-a", data, unfinished]);
  try {
    renameSync(unfinished, kept);
  } catch {
    // Another process has already cached its own result.
    rmSync(unfinished, { recursive: true });
  }
}

/** Returns the path of a program from the newest installed PostgreSQL version. */
export function program(name: string): string {
  const [newest = ""] = readdirSync(PROGRAMS).toSorted((one, other) => Number(other) - Number(one));
  return join(PROGRAMS, newest, "bin", name);
}

/** PostgreSQL refuses to run as root. */
function findUser(): readonly [uid: number, gid: number] {
  if (process.getuid?.() !== 0) return [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  const id = (flag: string): number => Number(execFileSync("id", [flag, USER], { encoding: "utf8" }));
  return [id("-u"), id("-g")];
}
