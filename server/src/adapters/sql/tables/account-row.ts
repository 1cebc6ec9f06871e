import type { Selectable } from "kysely";
import type { Account } from "../../../domain/account/account.ts";
import { toEmailKey } from "../../../domain/account/email.ts";
import type { AccountRow } from "../schema.ts";

export function toAccount(row: Selectable<AccountRow>): Account {
  return {
    id: row.id,
    email: row.email,
    plan: row.plan ?? undefined,
    parallel: row.parallel ?? undefined,
    units: row.units ?? undefined,
    hasAdditionalUnits: row.additional_units === 1,
    isDisabled: row.disabled === 1,
    isOperator: row.operator === 1,
    createdAt: new Date(row.created_at),
    version: row.version,
  };
}

export function toRow(account: Account): AccountRow {
  return {
    id: account.id,
    email: account.email,
    email_key: toEmailKey(account.email),
    plan: account.plan ?? null,
    parallel: account.parallel ?? null,
    units: account.units ?? null,
    additional_units: Number(account.hasAdditionalUnits),
    disabled: Number(account.isDisabled),
    operator: Number(account.isOperator),
    created_at: account.createdAt.toISOString(),
    version: account.version,
    password: null,
    provider_key: null,
    erased_at: null,
  };
}

/** Returns the possible keys of an account with this email. The first of two keys comes from an earlier version. */
export function toKeys(email: string): [string, ...string[]] {
  const [formerKey, key] = [email.toLowerCase(), toEmailKey(email)];
  return formerKey === key ? [key] : [formerKey, key];
}
