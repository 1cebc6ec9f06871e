import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openStorage, readConfig } from "../../server/test/interface.ts";
import { freePort } from "../../server/test/support/free-port.ts";
import { startProgram } from "./program.ts";
import type { StageName } from "./scenario-table.ts";

/** Who calls: an account that may do everything, and those that are refused in some way. */
export type Tokens = { readonly token: string; readonly tokens: Readonly<Record<OtherAccount, string>> };

export type OtherAccount = keyof typeof OTHERS;

/** A server that clients can be tried with. */
export type Served = AsyncDisposable & Tokens & { readonly url: string };

/** Accounts of the plan `self-hosted` may call as often as they like; the one of the plan `hurried` may not. */
const OTHERS = {
  noSubscription: { plan: undefined },
  noUnits: { plan: "self-hosted", units: 0 },
  limited: { plan: "self-hosted", parallel: 1 },
  hurried: { plan: "hurried" },
} as const;

const PLANS = { hurried: {} };
/** So many that ten calls exceed it, and others without a plan of `self-hosted` never come near it. */
const RATE = "9/60";

const root = new URL("../../", import.meta.url);

/**
 * Starts a server.
 * @param folder Where it may keep what it has; it exists, and goes when the server has ended.
 * @param modelUrl The language-model provider's.
 */
export function startTarget(name: StageName, folder: string, modelUrl: string): Promise<Served> {
  return name === "mock" ? startMock() : startServer(name, folder, modelUrl);
}

/** Prism takes every token. It starts anew when the contract changes, and would take another port if it chose itself. */
async function startMock(): Promise<Served> {
  const args = [fileURLToPath(new URL("scripts/mock.ts", root)), "--port", String(await freePort())];
  const program = await startProgram({ args, settings: {}, readyLine: /^The mock answers on (\S+)$/ });
  const token = "rbs_any-token-will-do";
  const tokens = { noSubscription: token, noUnits: token, limited: token, hurried: token };
  return { url: program.ready, token, tokens, [Symbol.asyncDispose]: () => program[Symbol.asyncDispose]() };
}

async function startServer(name: "fake" | "real", folder: string, modelUrl: string): Promise<Served> {
  const place = join(folder, name);
  // The browsers' users have to pass through it.
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
    ANTHROPIC_API_KEY: "sk-of-the-stage",
    ANTHROPIC_BASE_URL: modelUrl,
  };
  const accounts = await makeAccounts(settings);
  const args = [fileURLToPath(new URL("server/src/main.ts", root)), ...(name === "fake" ? ["--fake"] : [])];
  // "Listening on" would say that no browser can be opened, which ends the program's start with what it said.
  const program = await startProgram({ args, settings, readyLine: /^Ready on (\S+)$/ });
  return { url: program.ready, ...accounts, [Symbol.asyncDispose]: () => program[Symbol.asyncDispose]() };
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
