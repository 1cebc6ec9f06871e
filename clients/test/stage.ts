import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findExecutables } from "../../server/test/interface.ts";
import { openFaultProxy } from "./fault-proxy/fault-proxy.ts";
import { STAGE_NAMES, type Scenario, type StageName, fitScenarios, readScenarios } from "./scenario-table.ts";
import { openStandInModel } from "./stand-in-model.ts";
import { type Tokens, startTarget } from "./targets.ts";

/** What the file says that `RBS_STAGE` names: where each language's tests find what they need. */
export type StageFile = {
  readonly stages: readonly (Tokens & { readonly name: StageName; readonly url: string })[];
  /** Where a line of JSON is appended for each scenario that was carried out. */
  readonly report: string;
  readonly scenarios: readonly Scenario[];
};

/** Everything that clients are tried with: three servers, a fault proxy before each. Disposing ends it all. */
export type Stage = AsyncDisposable & { readonly file: string; readonly content: StageFile };

/** @param names Which servers; by default all. */
export async function openStage(names: readonly StageName[] = STAGE_NAMES): Promise<Stage> {
  await using held = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "rbs-stage-"));
  held.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  // The browsers' users have to pass through it.
  await chmod(folder, 0o711);
  const model = held.use(await openStandInModel());
  const started = await Promise.allSettled(names.map(async (name) => ({ name, ...(await open(name)) })));
  const stages = started.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
  const failed = started.find((one) => one.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  const scenarios = fitScenarios(readScenarios(), new Set(findExecutables().keys()));
  const content: StageFile = { stages, report: join(folder, "report.jsonl"), scenarios };
  const file = join(folder, "stage.json");
  await writeFile(content.report, "");
  await writeFile(file, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  const all = held.move();
  return { file, content, [Symbol.asyncDispose]: () => all.disposeAsync() };

  async function open(name: StageName): Promise<Tokens & { readonly url: string }> {
    const { url, token, tokens, ...server } = await startTarget(name, folder, model.url);
    held.use(server);
    const proxy = held.use(await openFaultProxy({ url, isMock: name === "mock" }));
    return { url: proxy.url, token, tokens };
  }
}
