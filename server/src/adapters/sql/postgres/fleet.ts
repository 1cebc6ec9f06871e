import { type Kysely, type RawBuilder, sql } from "kysely";
import { readKey } from "../../../domain/browser/address.ts";
import type { Attempt, BrowserDetails, FleetStore, StoredBrowser } from "../../../ports/store/fleet-store.ts";
import type { SecretBox } from "../../../ports/secret-box.ts";
import { NAMED } from "../named.ts";
import { newUnsealCache } from "../unseal-cache.ts";
import type { Tables } from "../schema.ts";
import { readTagText } from "../storable.ts";
import { toCancel } from "./browsers.ts";
import { toSettled } from "./settle.ts";

type Row = Omit<Tables["browsers"], "state" | "key_hash" | "address" | "opened_at" | "requested_at" | "charged"> &
  Readonly<Record<"address" | "opened_at", string>> & { readonly details: string | null };

export function newFleetStore(db: Kysely<Tables>, box: SecretBox, own: FleetStore["own"]): FleetStore {
  const unseal = newUnsealCache(box);
  const isOwn = sql`worker = ${own.worker} and instance = ${own.instance}`;
  const select = async (where: RawBuilder<unknown>): Promise<StoredBrowser[]> => {
    const { rows } = await sql<Row>`${NAMED}
      select id, account_id, kind, headless, label, tags, worker, instance, address, opened_at, details
      from browsers where state = 'open' and ${where} order by opened_at, id`.execute(db);
    return rows.map((row) => toStored(row, unseal));
  };
  return {
    own,

    async moveTo(browserId, attempt, { worker, instance }) {
      const { rows } = await sql`
        update browsers set worker = ${worker}, instance = ${instance}, attempt = attempt + 1
        where id = ${browserId} and state = 'opening' and attempt = ${attempt} returning id`.execute(db);
      return rows.length > 0;
    },

    async giveUp(browserId, attempt) {
      const held = sql`id = ${browserId} and state = 'opening'`;
      const ofAttempt = attempt === undefined ? held : sql`${held} and attempt = ${attempt}`;
      await toSettled({ held: ofAttempt, ...toCancel() }).execute(db);
    },

    async cancel(browserId, attempt) {
      const held = sql`id = ${browserId} and attempt = ${attempt} and ${isOwn}`;
      await toSettled({ held, ...toCancel() }).execute(db);
    },

    list: (accountId) => select(accountId === undefined ? sql`true` : sql`account_id = ${accountId}`),

    async find(accountId, selector) {
      const key = "id" in selector ? undefined : readKey(selector.address);
      if (!("id" in selector) && key === undefined) return undefined;
      const isIt = "id" in selector ? sql`id = ${selector.id}` : sql`key_hash = any (${[...box.hashes(key ?? "")]})`;
      const [found] = await select(sql`account_id = ${accountId} and ${isIt}`);
      return found;
    },

    async describe(details) {
      const ids = [...details.keys()];
      const texts = [...details].map(([id, one]) => box.seal(JSON.stringify(one), id));
      // Locks rows in the order of their ids, as all statements do.
      await sql`with due as (select * from unnest(${ids}::text[], ${texts}::text[]) as due (id, details)),
        held as (select b.id from browsers b join due using (id) where state = 'open' and ${isOwn}
          order by b.id for no key update of b)
        update browsers b set details = due.details from held join due using (id) where b.id = held.id`.execute(db);
    },

    async wantClosed(browserId) {
      await sql`update browsers set wanted_closed = 1 where id = ${browserId} and state = 'open'`.execute(db);
    },

    async findWantedClosed() {
      const { rows } = await sql<{ id: string }>`${NAMED}
        select id from browsers where ${isOwn} and wanted_closed = 1 and state = 'open'`.execute(db);
      return rows.map(({ id }) => id);
    },

    async listAttempts() {
      const { rows } = await sql<Attempt>`${NAMED}
        select id, attempt from browsers where worker = ${own.worker} and state = 'opening'`.execute(db);
      return rows;
    },

    async listOwn() {
      const { rows } = await sql<{ id: string; state: string }>`
        select id, state from browsers where worker = ${own.worker}`.execute(db);
      return rows.map(({ id, state }) => ({ id, isOpen: state === "open" }));
    },
  };
}

function toStored(row: Row, unseal: SecretBox["unseal"]): StoredBrowser {
  const { id, worker, instance, kind } = row;
  return {
    ...{ id, worker, instance, kind },
    accountId: row.account_id,
    address: unseal(row.address, id),
    openedAt: new Date(row.opened_at),
    isHeadless: row.headless === 1,
    label: row.label ?? undefined,
    tags: readTagText(row.tags),
    details: row.details === null ? undefined : readDetails(unseal(row.details, id)),
  };
}

function readDetails(text: string): BrowserDetails {
  const details = JSON.parse(text) as BrowserDetails & { readonly due?: { readonly at: string } };
  const { due } = details;
  return { ...details, due: due && { ...due, at: new Date(due.at) } };
}
