import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startProgram } from "../../../clients/test/program.ts";
import { openStandInModel } from "../../../clients/test/stand-in-model.ts";
import { freePort, openReverseProxy, readConfig } from "../../../server/test/interface.ts";
import { type Tokens, makeAccounts } from "../../proof/accounts.ts";
import { PLANS } from "../../proof/plans.ts";

/** The reference server with real browsers. Disposing stops the server and deletes its data. */
export type RealDeployment = AsyncDisposable & Tokens & { readonly url: string };

const MAIN = fileURLToPath(new URL("../../../server/src/main.ts", import.meta.url));

/** How clients reach browsers: a front-end relays connections, nginx routes them, or workers have their own URLs. */
type Way = "relay" | "nginx" | "direct";

/** Settings of servers that run browsers. The browsers may reach the suite's site, which is on this machine. */
const OF_BROWSERS = { RBS_EGRESS: "any" };

const READY = /^(?:Ready|Listening) on (\S+)$/;

export async function startRealDeployment(more: Record<string, string> = {}): Promise<RealDeployment> {
  await using acquired = new AsyncDisposableStack();
  const { common, serving } = await newSettings(acquired);
  const settings = { ...common, ...serving, ...OF_BROWSERS, RBS_PORT: "0", ...(await newFolders(acquired)), ...more };
  const accounts = await makeAccounts(readConfig(settings));
  const program = acquired.use(await startProgram({ args: [MAIN], settings, readyLine: READY }));
  const resources = acquired.move();
  return { url: program.ready, ...accounts, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

/** Starts two front-ends and two workers with real browsers. The tables in the database must already be up to date. */
export async function startRealCluster(databaseUrl: string, way: Way): Promise<RealDeployment> {
  await using acquired = new AsyncDisposableStack();
  const { common, serving } = await newSettings(acquired);
  const [port, one, other] = [await freePort(), await freePort(), await freePort()];
  const all = {
    ...common,
    RBS_DATABASE_URL: databaseUrl,
    RBS_SECRET_KEY: randomBytes(32).toString("base64"),
    RBS_CLUSTER_SECRET: randomBytes(32).toString("hex"),
    ...(way === "nginx" && { RBS_PUBLIC_URL: `http://localhost:${port}` }),
  };
  const newFront = async (frontPort: number) => ({
    ...{ ...all, ...serving, RBS_ROLE: "front", RBS_PORT: `${frontPort}`, RBS_TRUSTED_PROXIES: "127.0.0.1" },
    RBS_DATA_DIR: (await newFolders(acquired)).RBS_DATA_DIR,
  });
  const newWorker = async (workerPort: number) => ({
    ...{
      ...all,
      ...OF_BROWSERS,
      RBS_ROLE: "worker",
      RBS_PORT: `${workerPort}`,
      RBS_WORKER_URL: `http://127.0.0.1:${workerPort}`,
    },
    ...(way === "direct" && { RBS_WORKER_PUBLIC_URL: `http://localhost:${workerPort}` }),
    ...(await newFolders(acquired)),
  });
  const fronts = [await newFront(one), await newFront(other)] as const;
  const accounts = await makeAccounts(readConfig(fronts[0]));
  const servers = [await newWorker(await freePort()), await newWorker(await freePort()), ...fronts];
  for (const settings of servers) acquired.use(await startProgram({ args: [MAIN], settings, readyLine: READY }));
  if (way === "nginx") acquired.use(await openReverseProxy("nginx in front of a cluster", port, one, other));
  const url = way === "nginx" ? `http://localhost:${port}` : `http://127.0.0.1:${one}`;
  const resources = acquired.move();
  return { url, ...accounts, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

/** Creates the settings that all servers share, and the settings for servers that clients connect to. */
async function newSettings(acquired: AsyncDisposableStack) {
  const plans = join(await newFolder(acquired), "plans.json");
  await writeFile(plans, JSON.stringify(PLANS));
  const model = acquired.use(await openStandInModel());
  return {
    common: { RBS_PLANS: plans, RBS_LOG_LEVEL: "warn" },
    serving: { RBS_RATE: "150/5", ANTHROPIC_API_KEY: "of-the-stand-in", ANTHROPIC_BASE_URL: model.url },
  };
}

async function newFolders(acquired: AsyncDisposableStack) {
  const folder = await newFolder(acquired);
  return { RBS_DATA_DIR: join(folder, "data"), RBS_WORK_DIR: join(folder, "work") };
}

async function newFolder(acquired: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "rbs-real-"));
  acquired.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  // Browsers run as other users, which need access to paths in this folder.
  await chmod(folder, 0o711);
  return folder;
}
