import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startProgram } from "../../../clients/test/program.ts";
import { openStandInModel } from "../../../clients/test/stand-in-model.ts";
import { readConfig } from "../../../server/test/interface.ts";
import { type Tokens, makeAccounts } from "../../proof/accounts.ts";
import { PLANS } from "../../proof/plans.ts";

/** The reference server with real browsers. Disposing stops it and removes its data. */
export type RealDeployment = AsyncDisposable & Tokens & { readonly url: string };

const MAIN = fileURLToPath(new URL("../../../server/src/main.ts", import.meta.url));

export async function startRealDeployment(more: Record<string, string> = {}): Promise<RealDeployment> {
  await using acquired = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "rbs-real-"));
  acquired.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  // The users that browsers run as need access to paths inside.
  await chmod(folder, 0o711);
  const model = acquired.use(await openStandInModel());
  const plans = join(folder, "plans.json");
  await writeFile(plans, JSON.stringify(PLANS));
  const settings = {
    RBS_PORT: "0",
    RBS_DATA_DIR: join(folder, "data"),
    RBS_WORK_DIR: join(folder, "work"),
    RBS_PLANS: plans,
    RBS_RATE: "150/5",
    RBS_LOG_LEVEL: "warn",
    ANTHROPIC_API_KEY: "of-the-stand-in",
    ANTHROPIC_BASE_URL: model.url,
    ...more,
  };
  const accounts = await makeAccounts(readConfig(settings));
  const program = acquired.use(await startProgram({ args: [MAIN], settings, readyLine: /^Ready on (\S+)$/ }));
  const resources = acquired.move();
  return { url: program.ready, ...accounts, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}
