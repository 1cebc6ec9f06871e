import { randomUUID } from "node:crypto";
import { openStorage } from "../../server/src/app/storage.ts";
import type { Config } from "../../server/src/config/config.ts";
import { SPECIAL_ACCOUNTS, type SpecialAccount } from "../src/registry/vocabulary.ts";
import type { PLANS } from "./plans.ts";

/** Tokens of an account without limits, and of one in each state that a rule may need. */
export type Tokens = { readonly token: string; readonly tokens: Readonly<Record<SpecialAccount, string>> };

const PLAN_OF: Readonly<Record<SpecialAccount, keyof typeof PLANS | "self-hosted" | undefined>> = {
  "no-subscription": undefined,
  "no-units": "empty",
  "few-units": "few",
  limited: "limited",
  "other-account": "self-hosted",
  "rate-limited": "limited",
};

/** Makes them, in the books of a server that may be running; its plans have to be those of `plans.ts`. */
export async function makeAccounts(config: Config): Promise<Tokens> {
  await using books = await openStorage(config);
  const newToken = async (plan: string | undefined): Promise<string> => {
    const none = { parallel: undefined, units: undefined, token: undefined };
    return (await books.accounts.create({ email: `${randomUUID()}@example.com`, plan, ...none })).token;
  };
  const token = await newToken("self-hosted");
  const pairs = await Promise.all(SPECIAL_ACCOUNTS.map(async (name) => [name, await newToken(PLAN_OF[name])] as const));
  return { token, tokens: Object.fromEntries(pairs) as Record<SpecialAccount, string> };
}
