import { randomUUID } from "node:crypto";
import { type Config, openStorage, setProviderKey } from "../../server/test/interface.ts";
import { SPECIAL_ACCOUNTS, type SpecialAccount } from "../src/contract/vocabulary.ts";
import type { PLANS } from "./plans.ts";

/** Tokens for the accounts that rules use. */
export type Tokens = {
  /** Token of an account without limits. */
  readonly token: string;
  readonly tokens: Readonly<Record<SpecialAccount, string>>;
};

const PLAN_OF: Readonly<Record<SpecialAccount, keyof typeof PLANS | "self-hosted" | undefined>> = {
  "no-subscription": undefined,
  "no-units": "empty",
  "few-units": "few",
  limited: "limited",
  "other-account": "self-hosted",
  "rate-limited": "limited",
};

/** Creates the accounts in a server's database. The server may be running, but must use the plans in `plans.ts`. */
export async function makeAccounts(config: Config): Promise<Tokens> {
  await using storage = await openStorage(config);
  const newToken = async (plan: string | undefined): Promise<string> => {
    const none = { parallel: undefined, units: undefined, token: undefined };
    const { account, token } = await storage.accounts.create({ email: `${randomUUID()}@example.com`, plan, ...none });
    // An account without a plan can't use the deployment's key.
    if (plan === undefined) await setProviderKey(config, storage, account, "of-the-stand-in");
    return token;
  };
  const token = await newToken("self-hosted");
  const pairs = await Promise.all(SPECIAL_ACCOUNTS.map(async (name) => [name, await newToken(PLAN_OF[name])] as const));
  return { token, tokens: Object.fromEntries(pairs) as Record<SpecialAccount, string> };
}
