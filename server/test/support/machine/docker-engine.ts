import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { access, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getuid } from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { runProgram } from "./run-program.ts";

const DOCKERD = "/usr/sbin/dockerd";
const START_MS = 30_000;

/** A private Docker engine without images. Disposing stops it, and removes everything in it. */
export type Engine = AsyncDisposable & {
  /** The value for `DOCKER_HOST`. */
  readonly host: string;
  /**
   * Runs docker's command line. @returns Its standard output. @throws {Error} With the output, if the command fails.
   */
  readonly docker: (args: readonly string[], timeoutMs?: number) => Promise<string>;
};

/** Returns the reason a Docker engine can't be started on this machine; undefined if it can. */
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
  acquired.defer(() =>
    runProgram("umount", [join(folder, "exec", "netns", "default")]).then(
      () => {},
      () => {},
    ),
  );
  const host = `unix://${join(folder, "socket")}`;
  const log = join(folder, "log");
  const daemon = spawn(
    DOCKERD,
    [
      ...["--host", host, "--pidfile", join(folder, "pid")],
      ...["--data-root", join(folder, "data"), "--exec-root", join(folder, "exec")],
      // Containers use the host network.
      ...["--iptables=false", "--ip6tables=false", "--bridge=none"],
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
  const docker: Engine["docker"] = (args, timeoutMs) =>
    runProgram("docker", args, { DOCKER_HOST: host, DOCKER_BUILDKIT: "0" }, timeoutMs);
  const isReady = (): Promise<boolean> =>
    docker(["version"], START_MS).then(
      () => true,
      () => false,
    );
  while (!(await isReady())) {
    if (Date.now() > deadline || daemon.exitCode !== null) {
      throw new Error(`The Docker engine did not start: ${(await readFile(log, "utf8")).slice(-1000)}`);
    }
    await sleep(200);
  }
  const resources = acquired.move();
  return { host, docker, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}
