import { type Kysely, sql } from "kysely";
import { readKey } from "../../domain/browser/address.ts";
import type { SecretBox } from "../../ports/secret-box.ts";
import type { Rekeyed } from "../../ports/store/store.ts";
import type { Tables } from "./schema.ts";

/** Encrypts all secrets with the current key. Skips secrets that change during the call. */
export async function rekey(db: Kysely<Tables>, box: SecretBox): Promise<Rekeyed> {
  const providerKeys = await rekeyColumn(db, box, "accounts", "id", "provider_key");
  const ofOpen = await rekeyColumn(db, box, "browsers", "id", "address", (id, address) =>
    sealAddress(box, id, address),
  );
  // Only browsers that have ended have an address in this table.
  const ofEnded = await rekeyColumn(db, box, "keyed_browsers", "browser_id", "address");
  return { providerKeys, addresses: ofOpen + ofEnded };
}

/**
 * Encrypts a column's secrets with the current key.
 * @param owner The column that identifies both the row and the owner that its secret is sealed for.
 * @param toColumns Returns the columns to set for a secret; by default, only the column itself.
 * @returns The number of secrets that were encrypted.
 */
export async function rekeyColumn(
  db: Kysely<Tables>,
  box: SecretBox,
  table: keyof Tables,
  owner: string,
  column: string,
  toColumns = (id: string, secret: string): Record<string, string> => ({ [column]: box.seal(secret, id) }),
): Promise<number> {
  const [of, idOf, sealedOf] = [sql.table(table), sql.ref(owner), sql.ref(column)];
  const { rows } = await sql<{ id: string; sealed: string }>`
    select ${idOf} as id, ${sealedOf} as sealed from ${of} where ${sealedOf} is not null`.execute(db);
  let changed = 0;
  for (const { id, sealed } of rows) {
    if (box.isCurrent(sealed)) continue;
    const columns = Object.entries(toColumns(id, box.unseal(sealed, id)));
    const values = sql.join(columns.map(([name, value]) => sql`${sql.ref(name)} = ${value}`));
    const { numAffectedRows = 0n } = await sql`
      update ${of} set ${values} where ${idOf} = ${id} and ${sealedOf} = ${sealed}`.execute(db);
    changed += Number(numAffectedRows);
  }
  return changed;
}

/** Returns the columns for a browser's address: a hash for lookup by the browser's secret, and the sealed address. */
export function sealAddress(box: SecretBox, browserId: string, address: string) {
  return { key_hash: box.hash(readKey(address) ?? address), address: box.seal(address, browserId) };
}
