import { randomBytes, randomUUID } from "node:crypto";
import { join } from "node:path";
import { newFileKeyBox } from "../adapters/aes-gcm/file-key-box.ts";
import type { Config } from "../config/config.ts";
import type { Store } from "../ports/store.ts";
import { ProviderKeys } from "../services/accounts/provider-keys.ts";
import { Sessions } from "../services/accounts/sessions.ts";
import { Tokens } from "../services/accounts/tokens.ts";
import type { Ports } from "./ports.ts";

/** In the data folder: the key that encrypts users' provider keys. */
const KEY_FILE = "secret.key";

/** Tokens, sessions and provider keys of users. Disposing stores when tokens were last used. */
export type Auth = AsyncDisposable & {
  readonly tokens: Tokens;
  readonly sessions: Sessions;
  readonly providerKeys: ProviderKeys;
};

/** @throws {Error} When the data folder's key can't be read or created. */
export function newAuth(store: Store, config: Config, { clock, log }: Pick<Ports, "clock" | "log">): Auth {
  const tokens = new Tokens({ store: store.tokens, clock, log, newId: randomUUID, randomBytes });
  return {
    tokens,
    sessions: new Sessions({ store: store.sessions, clock, randomBytes }),
    providerKeys: new ProviderKeys({
      store: store.accounts,
      box: newFileKeyBox(join(config.dataDir, KEY_FILE)),
      deploymentsKey: config.ai.apiKey,
      plans: config.plans,
    }),
    [Symbol.asyncDispose]: () => tokens[Symbol.asyncDispose](),
  };
}
