import { existsSync } from "node:fs";
import { join } from "node:path";
import { actAsOwner } from "../app/compose/rights.ts";
import { DATABASE, type Storage, openStorage } from "../app/compose/storage.ts";
import type { Config } from "../config/config.ts";
import type { Accounts } from "../services/accounts/accounts.ts";
import type { NewAct } from "../services/operators/audit.ts";
import { AccountError } from "../services/accounts/errors.ts";

/** The values of a command's options. A flag's value is true. */
export type Values = Readonly<Record<string, string | boolean | undefined>>;

/** The result of a command. */
export type Outcome = {
  readonly print: object;
  /** The action to record in the audit log. */
  readonly act?: NewAct;
};

export type Command = {
  /** Options with a value. */
  readonly options: readonly string[];
  /** Options without a value. */
  readonly flags?: readonly string[];
  /** @throws {AccountError} If an option is missing or invalid. */
  run(accounts: Accounts, values: Values): Promise<Outcome>;
  /** Whether the command may leave the service without an operator. */
  readonly canRemoveOperator?: true;
};

export type DatabaseCommand = Pick<Command, "options" | "flags"> & {
  /** @returns The result to print. @throws {AccountError} If an option is missing or invalid. */
  run(config: Config, values: Values): Promise<object>;
};

/**
 * Checks that the database exists. Otherwise, a command with the wrong data folder would create an empty database.
 * @throws {AccountError} If the data folder contains no database.
 */
export function expectDatabase({ dataDir, database }: Pick<Config, "dataDir" | "database">): void {
  if (database !== undefined || existsSync(join(dataDir, DATABASE))) return;
  throw new AccountError(
    `${dataDir} has no ${DATABASE}. Set RBS_DATA_DIR to the server's data folder. The first start of the server creates it.`,
  );
}

/** Opens a server's database as the data folder's owner. @throws {AccountError} If there is no database. */
export async function openDatabase(config: Config): Promise<Storage> {
  expectDatabase(config);
  await actAsOwner(config);
  return openStorage(config);
}

export function read(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
}

/** Returns an option's value. @throws {AccountError} If the option is missing. */
export function required(values: Values, name: string): string {
  const value = read(values, name);
  if (value === undefined) throw new AccountError(`Set --${name}.`);
  return value;
}
