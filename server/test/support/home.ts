import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { type Ended, runScript } from "./run-script.ts";

/** Where a server keeps everything, through restarts. Disposing removes it. */
export type Home = AsyncDisposable & {
  readonly folder: string;
  readonly dataDir: string;
  readonly workDir: string;
  /** The folder in it that has one for each browser. */
  readonly cellsDir: string;
  /** All settings that a server gets here, besides its own. */
  readonly settings: Readonly<Record<string, string>>;
  /** Writes the file of plans, which each start and each command reads. */
  setPlans(plans: object): Promise<void>;
  /** Runs `npm run account` beside whatever runs here. */
  account(...args: readonly string[]): Promise<Ended>;
  /** Runs it, and expects that it works. @returns What it printed. */
  accountJson(...args: readonly string[]): Promise<Record<string, unknown>>;
  /** Makes an account. @returns Its token. */
  newAccount(email: string, plan?: string, ...args: readonly string[]): Promise<string>;
  /** An account as `list` shows it; empty when there is none. */
  report(email: string): Promise<Record<string, unknown>>;
};

export async function openHome(): Promise<Home> {
  const folder = await mkdtemp(join(tmpdir(), "rbs-e2e-"));
  // The browsers' users have to pass through it.
  await chmod(folder, 0o711);
  const [dataDir, workDir, plansFile] = [join(folder, "data"), join(folder, "work"), join(folder, "plans.json")];
  const settings = { RBS_PORT: "0", RBS_DATA_DIR: dataDir, RBS_WORK_DIR: workDir, RBS_PLANS: plansFile };
  const setPlans = (plans: object): Promise<void> => writeFile(plansFile, JSON.stringify(plans));
  await setPlans({});
  const account: Home["account"] = (...args) => runScript("cli/account.ts", args, { settings });
  const accountJson: Home["accountJson"] = async (...args) => {
    const { code, stdout, stderr } = await account(...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  return {
    folder,
    dataDir,
    workDir,
    cellsDir: join(workDir, "sandboxes"),
    settings,
    setPlans,
    account,
    accountJson,
    async newAccount(email, plan = "self-hosted", ...args) {
      const { token } = await accountJson("create", "--email", email, "--plan", plan, ...args);
      return String(token);
    },
    async report(email) {
      const accounts = (await accountJson("list")) as unknown as Record<string, unknown>[];
      return accounts.find((one) => one["email"] === email) ?? {};
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
