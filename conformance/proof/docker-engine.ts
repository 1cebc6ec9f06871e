import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { access, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { env, getuid } from "node:process";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { run } from "../src/schemathesis/run-command.ts";

const DOCKERD = "/usr/sbin/dockerd";
const START_MS = 30_000;
const IMPORT_MS = 120_000;

/** A private Docker engine without access to a registry. Disposing stops it. */
export type Engine = AsyncDisposable & {
  /** The value for `DOCKER_HOST`. */
  readonly host: string;
};

/** Why a Docker engine can't be started on this machine. Undefined if it can. */
export async function whyNoEngine(): Promise<string | undefined> {
  if (getuid?.() !== 0) return "Starting a private Docker engine requires root.";
  const isThere = await access(DOCKERD).then(
    () => true,
    () => false,
  );
  return isThere ? undefined : `${DOCKERD} does not exist: install docker.io.`;
}

export async function startEngine(): Promise<Engine> {
  await using acquired = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "rbs-docker-"));
  acquired.defer(() => rm(folder, { recursive: true, force: true }));
  // The engine leaves this mount behind after a container has used the host network. The directory can't be removed
  // while it is mounted.
  acquired.defer(
    async () => void (await run(["umount", join(folder, "exec", "netns", "default")], { timeoutMs: START_MS, env })),
  );
  const host = `unix://${join(folder, "socket")}`;
  const log = join(folder, "log");
  const daemon = spawn(
    DOCKERD,
    [
      ...["--host", host, "--pidfile", join(folder, "pid")],
      ...["--data-root", join(folder, "data"), "--exec-root", join(folder, "exec")],
      // Containers use the host network, and every kernel supports this storage driver.
      ...["--iptables=false", "--ip6tables=false", "--bridge=none", "--storage-driver", "vfs"],
    ],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  const exited = once(daemon, "exit");
  daemon.stdout.resume();
  daemon.stderr.pipe(createWriteStream(log));
  acquired.defer(async () => {
    daemon.kill("SIGTERM");
    await exited;
  });
  const deadline = Date.now() + START_MS;
  while ((await run(["docker", "version"], { timeoutMs: START_MS, env: { ...env, DOCKER_HOST: host } })).code !== 0) {
    if (Date.now() > deadline || daemon.exitCode !== null) {
      throw new Error(`The Docker engine did not start: ${(await readFile(log, "utf8")).slice(-1000)}`);
    }
    await sleep(200);
  }
  const resources = acquired.move();
  return { host, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

/** Builds an image of this machine's Python and Schemathesis. @param python A Python with Schemathesis. */
export async function importImage({ host }: Engine, python: string, name: string): Promise<void> {
  const writer = spawn(python, [join(import.meta.dirname, "schemathesis-image.py")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const entry = 'ENTRYPOINT ["/python/bin/python", "-m", "schemathesis.cli"]';
  const importer = spawn(
    "docker",
    ["import", "--change", entry, "--change", "ENV LD_LIBRARY_PATH=/python/lib", "-", name],
    { env: { ...env, DOCKER_HOST: host }, stdio: ["pipe", "ignore", "inherit"], timeout: IMPORT_MS },
  );
  const [[code]] = await Promise.all([once(importer, "exit"), pipeline(writer.stdout, importer.stdin)]);
  if (code !== 0) throw new Error(`The image could not be imported: docker exited with ${code}.`);
}
