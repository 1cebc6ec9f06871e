import { randomBytes, randomUUID } from "node:crypto";
import type { Config } from "../config/config.ts";
import { ProviderKeys } from "../services/accounts/provider-keys.ts";
import { Sessions } from "../services/sign-in/sessions.ts";
import { Tokens } from "../services/accounts/tokens.ts";
import type { Ports } from "./ports.ts";
import type { Storage } from "./storage.ts";

/** Tokens, sessions and provider keys of users. Disposing stores when tokens were last used. */
export type Auth = AsyncDisposable & {
  readonly tokens: Tokens;
  readonly sessions: Sessions;
  readonly providerKeys: ProviderKeys;
};

export function newAuth(
  { store, box }: Pick<Storage, "store" | "box">,
  config: Config,
  { clock, log }: Pick<Ports, "clock" | "log">,
): Auth {
  const tokens = new Tokens({ store: store.tokens, clock, log, newId: randomUUID, randomBytes });
  return {
    tokens,
    sessions: new Sessions({ store: store.sessions, clock, randomBytes }),
    providerKeys: new ProviderKeys({
      store: store.accounts,
      box,
      deploymentsKey: config.ai.apiKey,
      plans: config.plans,
    }),
    [Symbol.asyncDispose]: () => tokens[Symbol.asyncDispose](),
  };
}
