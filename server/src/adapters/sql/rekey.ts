import type { Kysely } from "kysely";
import { readKey } from "../../domain/browser/address.ts";
import type { SecretBox } from "../../ports/secret-box.ts";
import type { Rekeyed } from "../../ports/store/store.ts";
import type { Tables } from "./schema.ts";

/** Encrypts all secrets with the current key. A secret that changes at the same time is left as it is. */
export async function rekey(db: Kysely<Tables>, box: SecretBox): Promise<Rekeyed> {
  const accounts = await db
    .selectFrom("accounts")
    .select(["id", "provider_key as sealed"])
    .where("provider_key", "is not", null)
    .$narrowType<{ sealed: string }>()
    .execute();
  let [providerKeys, addresses] = [0, 0];
  for (const { id, sealed } of accounts) {
    if (box.isCurrent(sealed)) continue;
    const update = db.updateTable("accounts").set({ provider_key: box.seal(box.unseal(sealed, id), id) });
    const { numUpdatedRows } = await update
      .where("id", "=", id)
      .where("provider_key", "=", sealed)
      .executeTakeFirstOrThrow();
    providerKeys += Number(numUpdatedRows);
  }
  const browsers = await db
    .selectFrom("browsers")
    .select(["id", "address as sealed"])
    .where("state", "=", "open")
    .where("address", "is not", null)
    .$narrowType<{ sealed: string }>()
    .execute();
  for (const { id, sealed } of browsers) {
    if (box.isCurrent(sealed)) continue;
    const { numUpdatedRows } = await db
      .updateTable("browsers")
      .set(sealAddress(box, id, box.unseal(sealed, id)))
      .where("id", "=", id)
      .where("address", "=", sealed)
      .executeTakeFirstOrThrow();
    addresses += Number(numUpdatedRows);
  }
  // Addresses of browsers that have ended; other browsers have none here.
  const keyed = await db
    .selectFrom("keyed_browsers")
    .select(["browser_id as id", "address as sealed"])
    .where("address", "is not", null)
    .$narrowType<{ sealed: string }>()
    .execute();
  for (const { id, sealed } of keyed) {
    if (box.isCurrent(sealed)) continue;
    const address = box.seal(box.unseal(sealed, id), id);
    const update = db.updateTable("keyed_browsers").set({ address }).where("browser_id", "=", id);
    const { numUpdatedRows } = await update.where("address", "=", sealed).executeTakeFirstOrThrow();
    addresses += Number(numUpdatedRows);
  }
  return { providerKeys, addresses };
}

/** How a browser's address is stored: a hash to find it by its secret, and the sealed address. */
export function sealAddress(box: SecretBox, browserId: string, address: string) {
  return { key_hash: box.hash(readKey(address) ?? address), address: box.seal(address, browserId) };
}
