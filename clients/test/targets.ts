import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openStorage, readConfig } from "../../server/test/interface.ts";
import { freePort } from "../../server/test/support/machine/free-port.ts";
import { type Program, startProgram } from "./program.ts";
import type { StageName } from "./scenario-table.ts";

/** The tokens of an account without limits, and of accounts whose requests the server rejects for various reasons. */
export type Tokens = { readonly token: string; readonly tokens: Readonly<Record<OtherAccount, string>> };

type OtherAccount = keyof typeof OTHERS;

/** A running server for client tests. */
export type Served = Tokens & Omit<Program, "ready"> & { readonly url: string };

/** Plans of the other accounts. The rate limit applies to the plan `hurried`, but not to `self-hosted`. */
const OTHERS = {
  noSubscription: { plan: undefined },
  noUnits: { plan: "self-hosted", units: 0 },
  limited: { plan: "self-hosted", parallel: 1 },
  hurried: { plan: "hurried" },
} as const;

const PLANS = { hurried: {} };
/** A rate limit that ten calls exceed. Tests with other accounts stay far below this limit. */
const RATE = "9/60";

const root = new URL("../../", import.meta.url);

/**
 * Starts a server.
 * @param folder An existing folder for the server's files, which the caller deletes.
 * @param modelUrl The URL of the language-model provider.
 */
export function startTarget(name: StageName, folder: string, modelUrl: string): Promise<Served> {
  return name === "mock" ? startMock() : startServer(name, folder, modelUrl);
}

/** Prism accepts every token. It restarts when the contract changes, so it needs a fixed port. */
async function startMock(): Promise<Served> {
  const args = [fileURLToPath(new URL("scripts/mock.ts", root)), "--port", String(await freePort())];
  const readyLine = /^The mock answers on (\S+)$/;
  const { ready: url, ...program } = await startProgram({ args, settings: {}, readyLine });
  const token = "rbs_any-token-will-do";
  const tokens = { noSubscription: token, noUnits: token, limited: token, hurried: token };
  return { ...program, url, token, tokens };
}

async function startServer(name: "fake" | "real", folder: string, modelUrl: string): Promise<Served> {
  const place = join(folder, name);
  // Browsers run as other users, which need access to paths inside this folder.
  await mkdir(place);
  await chmod(place, 0o711);
  const plans = join(place, "plans.json");
  await writeFile(plans, JSON.stringify(PLANS));
  const settings = {
    RBS_PORT: "0",
    RBS_DATA_DIR: join(place, "data"),
    RBS_WORK_DIR: join(place, "work"),
    RBS_PLANS: plans,
    RBS_RATE: RATE,
    RBS_WARM: "0",
    RBS_EGRESS: "any",
    RBS_LOG_LEVEL: "warn",
    // Other tests keep the processors busy, and browsers have a lower CPU priority than other processes.
    RBS_LAUNCH_TIMEOUT_S: "120",
    ANTHROPIC_API_KEY: "sk-of-the-stage",
    ANTHROPIC_BASE_URL: modelUrl,
  };
  const accounts = await makeAccounts(settings);
  const args = [fileURLToPath(new URL("server/src/main.ts", root)), ...(name === "fake" ? ["--fake"] : [])];
  // If the server can't open browsers, it prints "Listening on" instead of "Ready on", and `startProgram` rejects.
  const { ready: url, ...program } = await startProgram({ args, settings, readyLine: /^Ready on (\S+)$/ });
  return { ...program, ...accounts, url };
}

async function makeAccounts(settings: Readonly<Record<string, string>>): Promise<Tokens> {
  await using storage = await openStorage(readConfig(settings));
  const make = async (name: string, wanted: { plan: string | undefined; parallel?: number; units?: number }) => {
    const account = { parallel: undefined, units: undefined, token: undefined, ...wanted };
    return (await storage.accounts.create({ email: `${name}@example.com`, ...account })).token;
  };
  return {
    token: await make("operator", { plan: "self-hosted" }),
    tokens: {
      noSubscription: await make("noSubscription", OTHERS.noSubscription),
      noUnits: await make("noUnits", OTHERS.noUnits),
      limited: await make("limited", OTHERS.limited),
      hurried: await make("hurried", OTHERS.hurried),
    },
  };
}
