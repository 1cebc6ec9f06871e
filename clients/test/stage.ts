import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findExecutables } from "../../server/test/interface.ts";
import { openFaultProxy } from "./fault-proxy/fault-proxy.ts";
import { STAGE_NAMES, type Scenario, type StageName, fitScenarios, readScenarios } from "./scenario-table.ts";
import { openStandInModel } from "./stand-in-model.ts";
import { type Served, type Tokens, startTarget } from "./targets.ts";

/** Contents of the file that `RBS_STAGE` names. Every language's tests read this file. */
export type StageFile = {
  readonly stages: readonly (Tokens & { readonly name: StageName; readonly url: string })[];
  /** The file to which each scenario appends a line of JSON. */
  readonly report: string;
  readonly scenarios: readonly Scenario[];
};

/** The servers for the tests, each behind a fault proxy. Disposing stops all servers and proxies. */
export type Stage = AsyncDisposable & {
  readonly file: string;
  readonly content: StageFile;
  /** Returns the last lines that each server has printed. */
  readonly said: () => string;
};

/**
 * @param names The servers to start. Default: all servers.
 * @param all The scenarios. Default: all scenarios in the table.
 */
export async function openStage(
  names: readonly StageName[] = STAGE_NAMES,
  all: readonly Scenario[] = readScenarios(),
): Promise<Stage> {
  await using held = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "rbs-stage-"));
  held.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  // Browsers run as other users, which need access to paths inside this folder.
  await chmod(folder, 0o711);
  const model = held.use(await openStandInModel());
  const servers = new Map<StageName, Served>();
  const started = await Promise.allSettled(names.map(async (name) => ({ name, ...(await open(name)) })));
  const stages = started.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
  const failed = started.find((one) => one.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  const scenarios = fitScenarios(all, new Set(findExecutables().keys()));
  const content: StageFile = { stages, report: join(folder, "report.jsonl"), scenarios };
  const file = join(folder, "stage.json");
  await writeFile(content.report, "");
  await writeFile(file, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  const resources = held.move();
  const said = () => [...servers].map(([name, server]) => `The server ${name}:\n${server.said()}`).join("\n");
  return { file, content, said, [Symbol.asyncDispose]: () => resources.disposeAsync() };

  async function open(name: StageName): Promise<Tokens & { readonly url: string }> {
    const server = held.use(await startTarget(name, folder, model.url));
    servers.set(name, server);
    const { url, token, tokens } = server;
    const proxy = held.use(await openFaultProxy({ url, isMock: name === "mock" }));
    return { url: proxy.url, token, tokens };
  }
}
