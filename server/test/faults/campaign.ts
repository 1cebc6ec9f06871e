import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { call } from "../support/servers/call.ts";
import { NO_RESOURCES } from "../support/browsers/resources.ts";
import { until } from "../support/until.ts";
import { type Browsers, type Deployment, startDeployment } from "./deployment.ts";
import { FAULTS, type FaultName, repeat } from "./faults.ts";
import { findLedgerMistakes } from "./ledger-check.ts";
import { type History, measureRate, startLoad, tryOnce } from "./load.ts";
import { newRandom } from "./random.ts";

const CONFORMANCE = fileURLToPath(new URL("../../../conformance/src/main.ts", import.meta.url));

/** Browser lifecycles per second with fake browsers. Runs with real browsers use a share of the measured maximum. */
const FAKE_PER_S = 20;
const [REAL_SHARE, MEASURED_MS, USERS] = [0.8, 5000, 3];

/** Time limit for the server, after the last fault, to detect hung browsers and release all resources. */
const RECOVERY_MS = 90_000;

/** Faults that terminate the server. */
const ENDING: ReadonlySet<FaultName> = new Set(["kill server", "kill broker"]);

const GROUPS = "/sys/fs/cgroup";

export type Case = {
  readonly browsers: Browsers;
  readonly faults: readonly FaultName[];
  readonly seconds: number;
  readonly seed: number;
  /** Whether the conformance suite runs afterwards, which takes 15 s. */
  readonly isConformant: boolean;
  /** Browser lifecycles per second. Defaults to the campaign's rate. */
  readonly perS?: number;
};

export type Result = {
  readonly perS: number;
  readonly strikes: readonly number[];
  readonly restarts: number;
  readonly history: History;
  /** Time from the end of the faults until all resources are released, in ms. */
  readonly recoveryMs: number;
  /** Everything that went wrong, one sentence per problem. */
  readonly mistakes: readonly string[];
};

/**
 * Injects faults into a deployment under load, and then checks that all resources are released, all charges are
 * correct, and the service works.
 */
export async function runCase({ browsers, faults, seconds, seed, isConformant, ...set }: Case): Promise<Result> {
  await using deployment = await startDeployment(browsers, faults.includes("clock jumps"));
  const isReal = browsers === "real";
  const perS = set.perS ?? (isReal ? (await measureRate(deployment, USERS, MEASURED_MS)) * REAL_SHARE : FAKE_PER_S);
  const load = startLoad(deployment, { perS, seed });
  const { history } = load;
  const over = AbortSignal.timeout(seconds * 1000);
  const strikes = await Promise.all(
    faults.map((name, at) => {
      const random = newRandom(seed + at + 1);
      return repeat(FAULTS[name], { deployment, random, signal: over });
    }),
  );
  const ended = faults.some((name) => ENDING.has(name)) ? 0 : deployment.restarts();
  await load.stop();
  const startedMs = performance.now();
  const server = await deployment.ready();
  const afterwards = await tryOnce(deployment);
  await closeAll(deployment);
  const isNothing = async (): Promise<boolean> => isDeepStrictEqual(await server.readResources(), NO_RESOURCES);
  const isReleased = await until(isNothing, (done) => done, RECOVERY_MS).catch(() => false);
  const recoveryMs = performance.now() - startedMs;
  const held = isReleased ? [] : [`The server still holds resources: ${JSON.stringify(await server.readResources())}`];
  const ledger = findLedgerMistakes(deployment.dataDir, history);
  const conformance = isConformant ? await findConformanceMistakes(deployment) : [];
  const code = await deployment.stop();
  const mistakes = [
    ...held,
    ...ledger,
    ...conformance,
    ...afterwards,
    ...history.mistakes,
    ...deployment.mistakes,
    ...(code === 0 ? [] : [`The server exited with ${code}.`]),
    ...(ended === 0 ? [] : [`The server exited unexpectedly ${ended} times.`]),
    ...findGroups(deployment.pids).map((group) => `The control group ${group} was not removed.`),
  ];
  return { perS, strikes, restarts: deployment.restarts(), history, recoveryMs, mistakes };
}

async function closeAll({ url, token, server }: Deployment): Promise<void> {
  const addresses = await server().addresses(token);
  await Promise.all(addresses.map((address) => call(url, "POST", "/api/v1/Browser/Close", token, { address })));
}

async function findConformanceMistakes({ url, token }: { url: URL; token: string }): Promise<string[]> {
  const child = spawn(process.execPath, [CONFORMANCE, "--base-url", url.href, "--profile", "smoke", "--partial"], {
    env: { ...process.env, RBS_TOKEN: token },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  const [code] = (await once(child, "close")) as [number | null];
  return code === 0 ? [] : [`The conformance suite failed: ${output.slice(-2000)}`];
}

/** Returns the servers' control groups. If a server was killed, its next start removes its groups. */
function findGroups(pids: readonly number[]): string[] {
  const prefixes = pids.map((pid) => `rbs-${pid}-`);
  return listFolders(GROUPS)
    .flatMap((parent) => [parent, ...listFolders(parent)])
    .filter((path) => prefixes.some((prefix) => path.includes(`/${prefix}`)));
}

function listFolders(parent: string): string[] {
  try {
    const entries = readdirSync(parent, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${parent}/${name}`);
  } catch {
    return [];
  }
}
