import { env, exit, stderr, stdout } from "node:process";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { openBooks } from "./books.ts";
import { ConfigError, readConfig } from "./config.ts";
import type { Account } from "./domain/account.ts";
import { AccountError, type Accounts } from "./services/accounts.ts";

const USAGE = `npm run account -- COMMAND

  create  --email E --plan P [--parallel N] [--units N] [--token T]
                                   makes an account; --plan none gives it no subscription
  list                             all accounts, with what they used this month
  plan    --email E --plan P [--parallel N]
                                   assigns a plan, or none; without --parallel the plan's own limit counts
  units   --email E [--units N|plan] [--additional on|off]
                                   units a month in place of the plan's; "plan" goes back to those
  token   --email E [--token T]    a new token; all earlier ones stop working
  disable --email E                its token stops working; browsers that are open stay until they end by themselves
  enable  --email E                its token works again

Every command prints JSON. It works beside a running server, on the same RBS_DATA_DIR and RBS_PLANS.
`;

type Values = Readonly<Record<string, string | undefined>>;
type Command = { readonly options: readonly string[]; run(accounts: Accounts, values: Values): Promise<unknown> };

const COMMANDS: Readonly<Record<string, Command>> = {
  create: {
    options: ["email", "plan", "parallel", "units", "token"],
    async run(accounts, values) {
      const { account, token } = await accounts.create({
        email: required(values, "email"),
        plan: readPlan(required(values, "plan")),
        parallel: readCount(values, "parallel", 1),
        units: readCount(values, "units", 0),
        token: values["token"],
      });
      return { ...toJson(account), token };
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
      const { account, token } = await accounts.renewToken(required(values, "email"), values["token"]);
      return { ...toJson(account), token };
    },
  },
  disable: {
    options: ["email"],
    run: async (accounts, values) => toJson(await accounts.change(required(values, "email"), { isDisabled: true })),
  },
  enable: {
    options: ["email"],
    run: async (accounts, values) => toJson(await accounts.change(required(values, "email"), { isDisabled: false })),
  },
};

function toJson(account: Account & { unitsUsed?: number; openBrowsers?: number }): object {
  const { email, plan, parallel, units, hasAdditionalUnits, isDisabled, createdAt, unitsUsed, openBrowsers } = account;
  return {
    email,
    plan: plan ?? null,
    parallel: parallel ?? null,
    units: units ?? null,
    additionalUnits: hasAdditionalUnits,
    disabled: isDisabled,
    createdAt: createdAt.toISOString(),
    unitsUsed,
    openBrowsers,
  };
}

function required(values: Values, name: string): string {
  const value = values[name];
  if (value === undefined) throw new AccountError(`--${name} is missing.`);
  return value;
}

function readPlan(text: string): string | undefined {
  return text === "none" ? undefined : text;
}

function readCount(values: Values, name: string, min: number): number | undefined {
  const text = values[name];
  if (text === undefined) return undefined;
  const count = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(count) && count >= min) return count;
  throw new AccountError(`--${name} must be a whole number from ${min}, not ${JSON.stringify(text)}.`);
}

function readSwitch(values: Values, name: string): boolean | undefined {
  const text = values[name];
  if (text === undefined) return undefined;
  if (text === "on" || text === "off") return text === "on";
  throw new AccountError(`--${name} must be on or off, not ${JSON.stringify(text)}.`);
}

async function main([name = "", ...args]: readonly string[]): Promise<void> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    stderr.write(name === "" ? USAGE : `There is no command ${JSON.stringify(name)}.\n\n${USAGE}`);
    exit(2);
  }
  const options: ParseArgsConfig["options"] = Object.fromEntries(
    command.options.map((option) => [option, { type: "string" }]),
  );
  const { values } = parseArgs({ args: [...args], options });
  await using books = await openBooks(readConfig(env));
  stdout.write(`${JSON.stringify(await command.run(books.accounts, values as Values), null, 2)}\n`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const isExpected =
    error instanceof AccountError ||
    error instanceof ConfigError ||
    (error as NodeJS.ErrnoException).code?.startsWith("ERR_PARSE_ARGS") === true;
  stderr.write(
    isExpected ? `${(error as Error).message}\n` : `${error instanceof Error ? error.stack : String(error)}\n`,
  );
  exit(1);
});
