import { randomBytes, randomUUID } from "node:crypto";
import { join } from "node:path";
import { systemClock } from "../adapters/system-clock/system-clock.ts";
import { fileKeyBox } from "../adapters/aes-gcm/file-key-box.ts";
import type { Storage } from "./storage.ts";
import type { Config } from "../config/config.ts";
import type { Log } from "../ports/log.ts";
import { ProviderKeys } from "../services/accounts/provider-keys.ts";
import { Sessions } from "../services/accounts/sessions.ts";
import { Tokens } from "../services/accounts/tokens.ts";

/** The key that providers' keys are sealed with, in the data folder. */
const KEY_FILE = "secret.key";

/** What people and their programs get in with, and what they leave here in trust. Disposing writes down what is known so far. */
export type Auth = AsyncDisposable & {
  readonly tokens: Tokens;
  readonly sessions: Sessions;
  readonly providerKeys: ProviderKeys;
};

/** @throws {Error} When the data folder's key can't be read or made. */
export function newAuth({ store }: Storage, config: Config, log: Log): Auth {
  const clock = systemClock;
  const tokens = new Tokens({ store: store.tokens, clock, log, newId: randomUUID, randomBytes });
  return {
    tokens,
    sessions: new Sessions({ store: store.sessions, clock, randomBytes }),
    providerKeys: new ProviderKeys({
      store: store.accounts,
      box: fileKeyBox(join(config.dataDir, KEY_FILE)),
      deploymentsKey: config.ai.apiKey,
    }),
    [Symbol.asyncDispose]: () => tokens[Symbol.asyncDispose](),
  };
}
