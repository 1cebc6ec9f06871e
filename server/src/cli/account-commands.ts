import type { Account } from "../domain/account/account.ts";
import { AccountError } from "../services/accounts/errors.ts";
import type { Accounts } from "../services/accounts/accounts.ts";

export const USAGE = `npm run account -- COMMAND

  create   --email E --plan P [--parallel N] [--units N] [--token T] [--operator on|off]
                                   makes an account, with a password and a token that are shown this once; --plan none
                                   gives it no subscription
  list                             all accounts, with what they used this month
  plan     --email E --plan P [--parallel N]
                                   assigns a plan, or none; without --parallel the plan's own limit counts
  units    --email E [--units N|plan] [--additional on|off]
                                   units a month in place of the plan's; "plan" goes back to those
  token    --email E [--token T]   a new token; all earlier ones stop working
  password --email E               a new password for the dashboard; whoever is signed in there no longer is
  operator --email E --rights on|off
                                   whether the account may use the operator's page
  disable  --email E               its tokens and sign-ins stop, and its browsers end within a second or two
  enable   --email E               its tokens work again, and its owner can sign in
  delete   --email E --yes         takes the account away, and all that tells of its owner; its browsers end within a
                                   second or two, its units stay in the books

Every command prints JSON, with ids as the server's log has them. It works beside a running server of the same version, on the same RBS_DATA_DIR and RBS_PLANS.
`;

/** What stands behind a command's options; flags are true where they stand. */
export type Values = Readonly<Record<string, string | boolean | undefined>>;

export type Command = {
  /** Options with a value behind them. */
  readonly options: readonly string[];
  /** Options without. */
  readonly flags?: readonly string[];
  /** @returns What is printed. @throws {AccountError} For what is missing or wrong. */
  run(accounts: Accounts, values: Values): Promise<object>;
  /** Whether it may leave the service without anybody who operates it. */
  readonly canOust?: true;
};

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
      return { ...toJson(account), token, password };
    },
  },
  list: {
    options: [],
    run: async (accounts) => (await accounts.list()).map(toJson),
  },
  plan: {
    options: ["email", "plan", "parallel"],
    async run(accounts, values) {
      const change = {
        plan: readPlan(required(values, "plan")) ?? null,
        parallel: readCount(values, "parallel", 1) ?? null,
      };
      return toJson(await accounts.change(required(values, "email"), change));
    },
  },
  units: {
    options: ["email", "units", "additional"],
    async run(accounts, values) {
      const units = values["units"] === "plan" ? null : readCount(values, "units", 0);
      const additional = readSwitch(values, "additional");
      if (units === undefined && additional === undefined)
        throw new AccountError("Give --units N, --units plan or --additional on|off.");
      const change = {
        ...(units === undefined ? {} : { units }),
        ...(additional === undefined ? {} : { hasAdditionalUnits: additional }),
      };
      return toJson(await accounts.change(required(values, "email"), change));
    },
  },
  token: {
    options: ["email", "token"],
    async run(accounts, values) {
      const { account, token } = await accounts.renewToken(required(values, "email"), read(values, "token"));
      return { ...toJson(account), token };
    },
  },
  password: {
    options: ["email"],
    async run(accounts, values) {
      const { account, password } = await accounts.resetPassword(required(values, "email"));
      return { ...toJson(account), password };
    },
  },
  operator: {
    canOust: true,
    options: ["email", "rights"],
    async run(accounts, values) {
      const isOperator = readSwitch(values, "rights");
      if (isOperator === undefined) throw new AccountError("Give --rights on or --rights off.");
      return toJson(await accounts.change(required(values, "email"), { isOperator }));
    },
  },
  disable: {
    canOust: true,
    options: ["email"],
    run: async (accounts, values) => toJson(await accounts.change(required(values, "email"), { isDisabled: true })),
  },
  enable: {
    options: ["email"],
    run: async (accounts, values) => toJson(await accounts.change(required(values, "email"), { isDisabled: false })),
  },
  delete: {
    canOust: true,
    options: ["email"],
    flags: ["yes"],
    async run(accounts, values) {
      const email = required(values, "email");
      if (values["yes"] !== true)
        throw new AccountError(`This can't be undone: add --yes to delete the account ${email}.`);
      const erased = await accounts.erase(email);
      return { id: erased.id, deleted: erased.email };
    },
  },
};

function toJson(account: Account & { unitsUsed?: number; openBrowsers?: number }): object {
  const { id, email, plan, parallel, units, hasAdditionalUnits, isDisabled, isOperator, createdAt } = account;
  const { unitsUsed, openBrowsers } = account;
  return {
    id,
    email,
    plan: plan ?? null,
    parallel: parallel ?? null,
    units: units ?? null,
    additionalUnits: hasAdditionalUnits,
    disabled: isDisabled,
    operator: isOperator,
    createdAt: createdAt.toISOString(),
    unitsUsed,
    openBrowsers,
  };
}

function read(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
}

function required(values: Values, name: string): string {
  const value = read(values, name);
  if (value === undefined) throw new AccountError(`--${name} is missing.`);
  return value;
}

function readPlan(text: string): string | undefined {
  return text === "none" ? undefined : text;
}

function readCount(values: Values, name: string, min: number): number | undefined {
  const text = read(values, name);
  if (text === undefined) return undefined;
  const count = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(count) && count >= min) return count;
  throw new AccountError(`--${name} must be a whole number from ${min}, not ${JSON.stringify(text)}.`);
}

function readSwitch(values: Values, name: string): boolean | undefined {
  const text = read(values, name);
  if (text === undefined) return undefined;
  if (text === "on" || text === "off") return text === "on";
  throw new AccountError(`--${name} must be on or off, not ${JSON.stringify(text)}.`);
}
