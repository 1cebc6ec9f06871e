import { chmod, chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { type Ended, SERVER_USER, runScript } from "../machine/run-script.ts";

/** A server's folders and settings, which survive restarts. Disposing removes the folders. */
export type Home = AsyncDisposable & {
  readonly folder: string;
  readonly dataDir: string;
  readonly workDir: string;
  /** The folder that contains each browser's own folder. */
  readonly sandboxesDir: string;
  /** Settings for every server that uses these folders. */
  readonly settings: Readonly<Record<string, string>>;
  /** Writes the plan file, which the server and commands read when they start. */
  setPlans(plans: object): Promise<void>;
  /** Runs `npm run account`, even while a server is running. */
  account(...args: readonly string[]): Promise<Ended>;
  /** Runs `npm run account` and asserts that it succeeds. @returns The printed JSON. */
  accountJson(...args: readonly string[]): Promise<Record<string, unknown>>;
  /** Creates an account. @returns Its token. */
  newAccount(email: string, plan?: string, ...args: readonly string[]): Promise<string>;
  /** Returns an account as `list` prints it; an empty object if it doesn't exist. */
  report(email: string): Promise<Record<string, unknown>>;
};

/** @param own Additional settings, such as the database. */
export async function openHome(own: Readonly<Record<string, string>> = {}): Promise<Home> {
  const folder = await mkdtemp(join(tmpdir(), "rbs-e2e-"));
  // Browsers run as other users, which must be able to enter the folder.
  await chmod(folder, 0o711);
  if (SERVER_USER !== undefined) await chown(folder, SERVER_USER, SERVER_USER);
  const [dataDir, workDir, plansFile] = [join(folder, "data"), join(folder, "work"), join(folder, "plans.json")];
  const folders = { RBS_DATA_DIR: dataDir, RBS_WORK_DIR: workDir, RBS_PLANS: plansFile };
  const firstAccount = own["RBS_ROLE"] === "worker" ? {} : { RBS_FIRST_ACCOUNT_EMAIL: "operator@localhost" };
  const settings = { RBS_PORT: "0", ...folders, ...firstAccount, ...own };
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
    sandboxesDir: join(workDir, "sandboxes"),
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
