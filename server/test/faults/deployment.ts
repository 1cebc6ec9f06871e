import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { toFakeTime, toOffset } from "../support/machine/fake-time.ts";
import { freePort } from "../support/machine/free-port.ts";
import { openHome } from "../support/servers/home.ts";
import { type RealServer, type ServerOptions, readLog, startServer } from "../support/servers/real-server.ts";
import { SERVER_USER } from "../support/machine/run-script.ts";
import { commandLine } from "../support/machine/processes.ts";
import { until } from "../support/until.ts";
import { startNameServer } from "./name-server.ts";

/** Chromium in sandboxes, or the browsers of `npm run start:fake`. */
export type Browsers = "real" | "fake";

/** The size of the data folder's disk. The server opens no browsers if less than 256 MB is free. */
const DISK_BYTES = 400 * 2 ** 20;

/** The host name of the deployment's web site. */
const SITE_NAME = "site.test";

/** Time limit for a server start, including the browser that the server opens, on a busy machine. */
const START_MS = 60_000;

/** Delay before a server that has exited is restarted, as with systemd. */
const RESTART_MS = 500;

/** A server that is restarted whenever it exits, with its own disk, clock, name server and web site. */
export type Deployment = AsyncDisposable & {
  readonly browsers: Browsers;
  readonly url: URL;
  readonly token: string;
  readonly dataDir: string;
  /** The URL of a page whose host name browsers must resolve. */
  readonly page: string;
  /** Returns the current server, or the last server if it has exited. */
  readonly server: () => RealServer;
  /** Waits until a server is running. */
  readonly ready: () => Promise<RealServer>;
  /** Returns how many times a server has exited. */
  readonly restarts: () => number;
  /** The process ids of all servers so far. */
  readonly pids: readonly number[];
  /** Problems found when servers exited: leftover processes and uncaught exceptions. */
  readonly mistakes: readonly string[];
  /** Shrinks the data folder's disk to the size of its content, or restores its size. */
  readonly setDisk: (state: "full" | "free") => void;
  /** Sets the difference between the server's clock and the machine's. */
  readonly setClock: (offsetS: number) => void;
  readonly setNameServer: (state: "silent" | "answering") => void;
  /** Stops the server for good. @returns Its exit code. */
  readonly stop: () => Promise<number | null>;
};

/** Starts a deployment. Requires root. @param hasClock Whether the clock can be set, which requires libfaketime. */
export async function startDeployment(browsers: Browsers, hasClock: boolean): Promise<Deployment> {
  await using acquired = new AsyncDisposableStack();
  const home = acquired.use(await openHome());
  const { dataDir } = home;
  mkdirSync(dataDir);
  mount(["-t", "tmpfs", "-o", `size=${DISK_BYTES},mode=700,uid=${SERVER_USER ?? 0}`, "none", dataDir]);
  acquired.defer(() => void execFileSync("umount", ["-l", dataDir]));
  const names = acquired.use(await startNameServer());
  const site = acquired.use(await startSite());
  const [resolver, clock] = [join(home.folder, "resolv.conf"), join(home.folder, "clock")];
  writeFileSync(resolver, `nameserver ${names.address}\n`);
  writeFileSync(clock, "+0");
  const options: ServerOptions = {
    isFake: browsers === "fake",
    replacedFiles: { "/etc/resolv.conf": resolver },
    settings: {
      RBS_HOST: "0.0.0.0",
      RBS_PORT: String(await freePort()),
      RBS_EGRESS: "any",
      RBS_BROWSER_MEMORY_MB: "512",
      RBS_BROWSER_DISK_MB: "64",
    },
    ...(hasClock ? { ownSettings: toFakeTime(clock) } : {}),
  };
  let server = await startServer(options, home);
  const { token } = server;
  const [mistakes, pids]: [string[], number[]] = [[], [server.pid]];
  let [isStopping, restarts] = [false, 0];
  let running: Promise<RealServer> = Promise.resolve(server);

  const watch = async (current: RealServer): Promise<void> => {
    await current.ended;
    if (isStopping) return;
    restarts += 1;
    running = restart(current);
    running.catch(() => {});
    void watch(await running);
  };
  const restart = async (ended: RealServer): Promise<RealServer> => {
    await until(
      () => ended.processes(),
      ({ length }) => length === 0,
    ).catch(() => {
      mistakes.push(`The server exited and left these processes: ${ended.processes().map(commandLine).join(", ")}`);
    });
    mistakes.push(...readCrash(ended));
    await ended[Symbol.asyncDispose]();
    for (;;) {
      await wait(RESTART_MS);
      const next = await startServer(options, home).catch(() => undefined);
      if (next !== undefined) {
        pids.push(next.pid);
        return (server = next);
      }
      if (isStopping) throw new Error("The deployment is stopping.");
    }
  };
  void watch(server).catch(() => {});

  acquired.defer(async () => {
    isStopping = true;
    await running.catch(() => {});
    await server[Symbol.asyncDispose]();
  });
  const resources = acquired.move();
  const resize = (bytes: string): void => mount(["-o", `remount,size=${bytes}`, dataDir]);
  const url = new URL(`http://127.0.0.1:${server.url.port}/`);
  const isAnswering = (): Promise<boolean> =>
    fetch(new URL("/healthz", url)).then(
      ({ ok }) => ok,
      () => false,
    );
  return {
    browsers,
    url,
    token,
    dataDir,
    page: `http://${SITE_NAME}:${site.port}/`,
    server: () => server,
    async ready() {
      await until(isAnswering, (isUp) => isUp, START_MS);
      return running;
    },
    restarts: () => restarts,
    pids,
    mistakes,
    setDisk: (state) => (state === "free" ? resize(String(DISK_BYTES)) : fill(dataDir, resize)),
    setClock: (offsetS) => writeFileSync(clock, toOffset(offsetS)),
    setNameServer: (state) => names.setSilent(state === "silent"),
    async stop() {
      isStopping = true;
      (await running).signal("SIGTERM");
      return (await server.ended).code;
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** Returns the exception that ended a server, if any. */
function readCrash(server: RealServer): string[] {
  return [...readLog(server, "server.crashed"), ...readLog(server, "server.unhandled_rejection")].map((line) =>
    JSON.stringify(line["error"]),
  );
}

function mount(options: readonly string[]): void {
  execFileSync("mount", options, { stdio: "ignore" });
}

/** Shrinks the disk to the size of its content. Retries if the content has grown before the resize. */
function fill(folder: string, resize: (bytes: string) => void): void {
  for (let tries = 1; ; tries += 1) {
    const [, kib = ""] = execFileSync("df", ["--output=used", folder], { encoding: "utf8" }).split("\n");
    try {
      return resize(`${Number(kib)}k`);
    } catch (error) {
      if (tries === 10) throw error;
    }
  }
}

async function startSite(): Promise<AsyncDisposable & { readonly port: number }> {
  const site: Server = createServer((_, response) => {
    response.setHeader("Content-Type", "text/html").end("<title>A page</title>");
  });
  site.listen(0, "127.0.0.1");
  await once(site, "listening");
  return {
    port: (site.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      site.closeAllConnections();
      site.close();
    },
  };
}
