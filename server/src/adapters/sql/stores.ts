import type { Kysely } from "kysely";
import type { Store } from "../../ports/store/store.ts";
import { newAccountStore } from "./tables/accounts.ts";
import { newAuditStore } from "./tables/audit.ts";
import { newAccountDirectory } from "./tables/directory.ts";
import type { Engine } from "./engine.ts";
import { newQueryStore } from "./queries.ts";
import { rekey } from "./rekey.ts";
import type { Tables } from "./schema.ts";
import { newSessionStore } from "./tables/sessions.ts";
import { newTokenStore } from "./tables/tokens.ts";
import { newUsageStore } from "./tables/usage.ts";
import type { SecretBox } from "../../ports/secret-box.ts";

type Shared = Pick<Store, "accounts" | "tokens" | "sessions" | "usage" | "queries" | "audit" | "deleteEnded" | "rekey">;

/** Creates the stores that are the same on every engine. */
export function newStores(db: Kysely<Tables>, engine: Engine, box: SecretBox): Shared {
  return {
    accounts: { ...newAccountStore(db, engine), ...newAccountDirectory(db, engine) },
    tokens: newTokenStore(db, engine),
    sessions: newSessionStore(db, engine),
    usage: newUsageStore(db, engine, box),
    queries: newQueryStore(db),
    audit: newAuditStore(db),
    deleteEnded: (before, limit) => deleteEnded(db, engine, before, limit),
    rekey: () => rekey(db, box),
  };
}

/** @returns The number of deleted rows, which is at most the limit. */
async function deleteEnded(db: Kysely<Tables>, engine: Engine, before: Date, limit: number): Promise<number> {
  const ended = db.selectFrom("ended_browsers").select("id").where("closed_at", "<", before.toISOString());
  // Other servers may delete at the same time: each skips rows that another one has locked.
  const rows = engine.lockRows(ended.orderBy("closed_at").limit(limit), true);
  const { numDeletedRows } = await db.deleteFrom("ended_browsers").where("id", "in", rows).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
