import { ADMIN_COMMAND } from "./installed.ts";
import { copyStorages } from "../app/compose/copy.ts";
import { actAsOwner } from "../app/compose/rights.ts";
import { migrateStorage } from "../app/compose/storage.ts";
import type { Account } from "../domain/account/account.ts";
import type { ActName } from "../ports/store/audit-store.ts";
import type { NewAct } from "../services/operators/audit.ts";
import { AccountError } from "../services/accounts/errors.ts";
import {
  type Command,
  type DatabaseCommand,
  type Outcome,
  openDatabase,
  read,
  required,
  type Values,
} from "./command.ts";

export const USAGE = `${ADMIN_COMMAND} COMMAND

  create   --email E --plan P [--parallel N] [--units N] [--token T] [--operator on|off]
                                   creates an account and prints its password and token, which are not shown again;
                                   --plan none creates it without a plan
  list                             prints all accounts and the units they used this month
  plan     --email E --plan P [--parallel N]
                                   assigns a plan, or none; without --parallel, the plan's own limit applies
  units    --email E [--units N|plan] [--additional on|off]
                                   sets the units per month; "plan" restores the plan's own number;
                                   --additional lets the account use more units than that
  token    [--email E] [--token T]
                                   creates a token and revokes all earlier ones; without --email, for the only operator
  password [--email E]             sets a new dashboard password and signs the account out everywhere; without --email,
                                   for the only operator
  operator --email E --rights on|off
                                   gives or removes operator rights
  disable  --email E               disables the account's tokens and signs the user out; its open browsers close
                                   within two seconds
  enable   --email E               restores the tokens and lets the user sign in again
  delete   --email E --yes         deletes the account and all personal data; its open browsers close within two
                                   seconds, and the used units stay in the ledger
  audit    [--email E]             prints what operators have done, newest first: all of it, or to an account
  worker list                      prints the servers that share a PostgreSQL database
  worker cordon --id W             stops a server from opening browsers, also after a restart; its open
                                   browsers stay
  worker drain --id W              stops a server from opening browsers until its next start; it exits when its
                                   open browsers have ended
  worker uncordon --id W           lets it open browsers again
  worker remove --id W             removes a server that will not start again, and closes the records of its browsers
  rekey                            encrypts all stored secrets with the first key of RBS_SECRET_KEY_FILE
  migrate                          updates the tables of a PostgreSQL database, as a start of the server does
  copy --from DATABASE --to DATABASE
                                   copies everything from one database to an empty one; a DATABASE is the path of an
                                   SQLite file or a postgres:// URL, and no server may be using it

Every command prints JSON, with the same ids as the server's log. You can run commands while a server of the same
version is running. Use the same RBS_DATA_DIR and RBS_PLANS as the server.
`;

export const COMMANDS: Readonly<Record<string, Command>> = {
  create: {
    options: ["email", "plan", "parallel", "units", "token", "operator"],
    async run(accounts, values) {
      const { account, token, password } = await accounts.create({
        email: required(values, "email"),
        plan: readPlan(required(values, "plan")),
        parallel: readCount(values, "parallel", 1),
        units: readCount(values, "units", 0),
        token: read(values, "token"),
        isOperator: readSwitch(values, "operator") ?? false,
      });
      const { id, plan = null, parallel, units, isOperator } = account;
      return {
        print: { ...toJson(account), token, password },
        act: { act: "created", subject: id, details: { plan, parallel, units, isOperator } },
      };
    },
  },
  list: {
    options: [],
    run: async (accounts) => ({ print: (await accounts.list()).map(toJson) }),
  },
  plan: {
    options: ["email", "plan", "parallel"],
    async run(accounts, values) {
      const change = {
        plan: readPlan(required(values, "plan")) ?? null,
        parallel: readCount(values, "parallel", 1) ?? null,
      };
      return toOutcome(await accounts.change(required(values, "email"), change), "terms", change);
    },
  },
  units: {
    options: ["email", "units", "additional"],
    async run(accounts, values) {
      const units = values["units"] === "plan" ? null : readCount(values, "units", 0);
      const additional = readSwitch(values, "additional");
      if (units === undefined && additional === undefined)
        throw new AccountError("Set --units N, --units plan or --additional on|off.");
      const change = {
        ...(units !== undefined && { units }),
        ...(additional !== undefined && { hasAdditionalUnits: additional }),
      };
      return toOutcome(await accounts.change(required(values, "email"), change), "terms", change);
    },
  },
  token: {
    options: ["email", "token"],
    async run(accounts, values) {
      const email = read(values, "email") ?? (await accounts.onlyOperator());
      const { account, token } = await accounts.renewToken(email, read(values, "token"));
      return { print: { ...toJson(account), token }, act: { act: "token", subject: account.id } };
    },
  },
  password: {
    options: ["email"],
    async run(accounts, values) {
      const email = read(values, "email") ?? (await accounts.onlyOperator());
      const { account, password } = await accounts.resetPassword(email);
      return { print: { ...toJson(account), password }, act: { act: "password", subject: account.id } };
    },
  },
  operator: {
    canRemoveOperator: true,
    options: ["email", "rights"],
    async run(accounts, values) {
      const isOperator = readSwitch(values, "rights");
      if (isOperator === undefined) throw new AccountError("Set --rights on or --rights off.");
      const account = await accounts.change(required(values, "email"), { isOperator });
      return toOutcome(account, isOperator ? "rights given" : "rights taken");
    },
  },
  disable: { ...toDisabling(true), canRemoveOperator: true },
  enable: toDisabling(false),
  delete: {
    canRemoveOperator: true,
    options: ["email"],
    flags: ["yes"],
    async run(accounts, values) {
      const email = required(values, "email");
      if (values["yes"] !== true)
        throw new AccountError(`You can't undo this. Add --yes to delete the account ${email}.`);
      const erased = await accounts.erase(email);
      return { print: { id: erased.id, deleted: erased.email }, act: { act: "deleted", subject: erased.id } };
    },
  },
};

/** Returns the command that disables or enables an account. */
function toDisabling(isDisabled: boolean): Command {
  return {
    options: ["email"],
    run: async (accounts, values) =>
      toOutcome(await accounts.change(required(values, "email"), { isDisabled }), isDisabled ? "disabled" : "enabled"),
  };
}

/** Commands for the database as a whole. */
export const DATABASE_COMMANDS: Readonly<Record<string, DatabaseCommand>> = {
  audit: {
    options: ["email"],
    async run(config, values) {
      await using storage = await openDatabase(config);
      const email = read(values, "email");
      const account = email === undefined ? undefined : await storage.accounts.report(email);
      const acts = await storage.audit.list({ subject: account?.id });
      const ids = new Set(acts.flatMap((act) => [act.actor, act.subject]));
      const emails = await storage.store.accounts.emails([...ids]);
      return acts.map(({ at, actor, act, subject, details }) => {
        const [actorEmail = null, subjectEmail = null] = [emails.get(actor), emails.get(subject)];
        return { at: at.toISOString(), actor, actorEmail, act, subject, subjectEmail, details };
      });
    },
  },
  rekey: {
    options: [],
    async run(config) {
      await using storage = await openDatabase(config);
      return await storage.store.rekey();
    },
  },
  migrate: {
    options: [],
    async run(config) {
      const { database } = config;
      if (database === undefined)
        throw new AccountError("Set RBS_DATABASE_URL. The server updates an SQLite file itself.");
      await actAsOwner(config);
      return { applied: await migrateStorage(database) };
    },
  },
  copy: {
    options: ["from", "to"],
    async run(config, values) {
      const [from, to] = [required(values, "from"), required(values, "to")];
      await actAsOwner(config);
      return copyStorages(from, to);
    },
  },
};

function toOutcome(account: Account, act: ActName, details: NewAct["details"] = {}): Outcome {
  return { print: toJson(account), act: { act, subject: account.id, details } };
}

function toJson(account: Account & { unitsUsed?: number; openBrowsers?: number }): object {
  const { id, email, plan = null, parallel = null, units = null, hasAdditionalUnits, isDisabled, isOperator } = account;
  const { createdAt, unitsUsed, openBrowsers } = account;
  return {
    id,
    email,
    plan,
    parallel,
    units,
    additionalUnits: hasAdditionalUnits,
    disabled: isDisabled,
    operator: isOperator,
    createdAt: createdAt.toISOString(),
    unitsUsed,
    openBrowsers,
  };
}

function readPlan(text: string): string | undefined {
  return text === "none" ? undefined : text;
}

function readCount(values: Values, name: string, min: number): number | undefined {
  const text = read(values, name);
  if (text === undefined) return undefined;
  const count = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(count) && count >= min) return count;
  throw new AccountError(`--${name} must be a whole number, ${min} or more, not ${JSON.stringify(text)}.`);
}

function readSwitch(values: Values, name: string): boolean | undefined {
  const text = read(values, name);
  if (text === undefined) return undefined;
  if (text === "on" || text === "off") return text === "on";
  throw new AccountError(`--${name} must be on or off, not ${JSON.stringify(text)}.`);
}
