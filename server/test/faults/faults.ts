import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { call } from "../support/servers/call.ts";
import { connectDevtools, openPage } from "../support/browsers/devtools-client.ts";
import { openCutOffNetwork } from "../support/gateway/cut-off-network.ts";
import { findBroker } from "../support/browsers/traces.ts";
import { readDescriptors } from "../support/browsers/resources.ts";
import type { Browsers, Deployment } from "./deployment.ts";
import type { Random } from "./random.ts";

const SILENT_CLIENT = fileURLToPath(new URL("../support/gateway/silent-client.ts", import.meta.url));

/** A fault that strikes repeatedly. */
export type Fault = {
  /** The kinds of browsers that the fault can affect. */
  readonly browsers: readonly Browsers[];
  /** The maximum pause between strikes, in seconds. */
  readonly pauseS: number;
  /** Triggers the fault once, and ends it. */
  readonly strike: (deployment: Deployment, random: Random) => Promise<void>;
};

const BOTH = ["real", "fake"] as const;

/** How long a fault lasts, in seconds. */
const HOLD_S = [1, 4] as const;

/** Time until a fault first strikes, in seconds. */
const FIRST_S = 2;

/** Time limit for strace to detach from a server. */
const DETACH_MS = 5000;

async function hold(random: Random): Promise<void> {
  await wait(random.between(...HOLD_S) * 1000);
}

/** Sends a signal to a process that may have ended. @param pid 0 if the process was not found. */
function signal(pid: number, name: NodeJS.Signals): void {
  if (pid === 0) return;
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Sends a signal to a random process in a sandbox: a Chromium process, a screen or a shell. */
function signalAny({ server }: Deployment, random: Random, name: NodeJS.Signals): void {
  const one = random.oneOf(server().processes());
  if (one !== undefined) signal(one.pid, name);
}

async function pause(pid: number, random: Random): Promise<void> {
  signal(pid, "SIGSTOP");
  await hold(random);
  signal(pid, "SIGCONT");
}

/** Opens a page that allocates memory until its browser crashes. */
async function allocate({ url, token }: Deployment): Promise<void> {
  const answer = await call(url, "POST", "/api/v1/Browser/Open", token, { Browser: 3, KeepOpen: 5 });
  if (answer.status !== 200) return;
  await using client = await connectDevtools(String(answer.body["address"]));
  const evaluate = await openPage(client, "about:blank");
  evaluate("const all = []; while (true) all.push(new Uint8Array(2 ** 24).fill(1))").catch(() => {});
  await client.closed;
}

/** Limits the server to the descriptors that it is already using. */
async function takeDescriptors({ server }: Deployment, random: Random): Promise<void> {
  const { pid } = server();
  // Without CAP_SYS_RESOURCE, only the server's own user may set the limit.
  const { uid, gid } = statSync(`/proc/${pid}`);
  const prlimit = (...rest: string[]): string =>
    execFileSync("prlimit", ["--pid", String(pid), ...rest], { uid, gid, encoding: "utf8" });
  const limit = (soft: string): void => void prlimit(`--nofile=${soft}:`);
  const usual = prlimit("--nofile", "--noheadings", "--output=SOFT").trim();
  limit(String(readDescriptors(pid).length));
  await hold(random);
  limit(usual);
}

/** Makes writes to the database fail, as if the kernel had made the disk read-only. */
async function refuseWrites({ server, dataDir }: Deployment, random: Random): Promise<void> {
  const files = ["", "-wal"].flatMap((suffix) => ["-P", `${dataDir}/service.sqlite${suffix}`]);
  const calls = "write,pwrite64,ftruncate,fsync,fdatasync";
  const tracer = spawn(
    "strace",
    [
      "-f",
      "-qq",
      "-o",
      "/dev/null",
      "-e",
      `trace=${calls}`,
      "-e",
      `inject=${calls}:error=EROFS`,
      ...files,
      "-p",
      `${server().pid}`,
    ],
    { stdio: "ignore" },
  );
  const ended = once(tracer, "exit");
  await Promise.race([hold(random), ended]);
  // Make strace detach from the server. If the server has been killed, strace can wait for a thread forever.
  tracer.kill("SIGINT");
  await Promise.race([ended, wait(DETACH_MS, undefined, { ref: false })]);
  tracer.kill("SIGKILL");
  await ended;
}

/** Cuts a client off from the network, so that the server receives no more packets from it, not even a FIN. */
async function cutOff({ url, token }: Deployment, random: Random): Promise<void> {
  const answer = await call(url, "POST", "/api/v1/Browser/Open", token, { Headless: true, KeepOpen: 5 });
  if (answer.status !== 200) return;
  await using network = await openCutOffNetwork(Math.floor(random.between(0, 256)));
  const address = new URL(String(answer.body["address"]));
  address.hostname = network.host;
  await network.start(SILENT_CLIENT, address.href);
  await network.cut();
  await wait(32_000);
}

async function setDisk(deployment: Deployment, random: Random): Promise<void> {
  deployment.setDisk("full");
  await hold(random);
  deployment.setDisk("free");
}

async function jump({ setClock, dataDir }: Deployment, random: Random): Promise<void> {
  setClock(Math.round(random.between(-600, 600)));
  await hold(random);
  setClock(0);
  // After correcting a clock that was ahead, the operator deletes the stored time. The server reads the clock's offset
  // every second.
  await wait(1100);
  rmSync(join(dataDir, "clock.last"), { force: true });
  await hold(random);
}

async function silence({ setNameServer }: Deployment, random: Random): Promise<void> {
  setNameServer("silent");
  await hold(random);
  setNameServer("answering");
}

/** All faults that a machine and its users can cause. */
export const FAULTS = {
  "kill browser": {
    browsers: ["real"],
    pauseS: 3,
    strike: async (deployment, random) => signalAny(deployment, random, "SIGKILL"),
  },
  "kill server": {
    browsers: BOTH,
    pauseS: 8,
    strike: async ({ server }) => server().signal("SIGKILL"),
  },
  "kill broker": {
    browsers: ["real"],
    pauseS: 8,
    strike: async (deployment) => signal(findBroker(deployment.server().pid), "SIGKILL"),
  },
  "stop browser": {
    browsers: ["real"],
    pauseS: 2,
    strike: async (deployment, random) => signalAny(deployment, random, "SIGSTOP"),
  },
  "stop server": { browsers: BOTH, pauseS: 4, strike: ({ server }, random) => pause(server().pid, random) },
  "stop broker": {
    browsers: ["real"],
    pauseS: 4,
    strike: (deployment, random) => pause(findBroker(deployment.server().pid), random),
  },
  memory: { browsers: ["real"], pauseS: 4, strike: allocate },
  "full disk": { browsers: BOTH, pauseS: 4, strike: setDisk },
  "no descriptors": { browsers: BOTH, pauseS: 4, strike: takeDescriptors },
  "read-only store": { browsers: BOTH, pauseS: 4, strike: refuseWrites },
  "clock jumps": { browsers: BOTH, pauseS: 1, strike: jump },
  "silent name server": { browsers: ["real"], pauseS: 4, strike: silence },
  "half-open clients": { browsers: BOTH, pauseS: 1, strike: cutOff },
} as const satisfies Record<string, Fault>;

export type FaultName = keyof typeof FAULTS;

/** Pairs of simultaneous faults, each named as an operator would name the incident. */
export const PAIRS: Readonly<Record<string, readonly [FaultName, FaultName]>> = {
  "a crash on a full disk": ["kill server", "full disk"],
  "a crash without a store": ["kill server", "read-only store"],
  "a crash while the clock is set": ["kill server", "clock jumps"],
  "crashing browsers without descriptors": ["kill browser", "no descriptors"],
  "frozen browsers and no broker": ["stop browser", "kill broker"],
  "a frozen server and lost clients": ["stop server", "half-open clients"],
  "hungry pages and crashing browsers": ["memory", "kill browser"],
  "hungry pages on a full disk": ["memory", "full disk"],
  "nothing free": ["full disk", "no descriptors"],
  "a failing store while the clock is set": ["read-only store", "clock jumps"],
  "no names and no descriptors": ["silent name server", "no descriptors"],
  "no network": ["silent name server", "half-open clients"],
};

/**
 * Triggers a fault repeatedly until the signal is aborted. Failed strikes aren't counted, because another fault may
 * have just stopped the server.
 */
export async function repeat(
  { pauseS, strike }: Fault,
  { deployment, random, signal: over }: { deployment: Deployment; random: Random; signal: AbortSignal },
): Promise<number> {
  let strikes = 0;
  for (;;) {
    const longestS = strikes === 0 ? FIRST_S : pauseS;
    await wait(random.between(0.2, longestS) * 1000, undefined, { signal: over }).catch(() => {});
    if (over.aborted) return strikes;
    await deployment.ready();
    await strike(deployment, random).then(
      () => (strikes += 1),
      () => {},
    );
  }
}
