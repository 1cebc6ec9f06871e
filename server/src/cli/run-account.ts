import type { ParseArgsOptionsConfig } from "node:util";
import {
  MISUSED,
  UsageError,
  describeMisuse,
  didYouMean,
  isQuestion,
  readCommandLine,
} from "../../../command-line/src/command-line.ts";
import { ConfigError, readConfig } from "../config/config.ts";
import { COMMAND_LINE } from "../ports/store/audit-store.ts";
import { DatabaseUnusable, FolderInUse } from "../ports/store/store.ts";
import { AccountError } from "../services/accounts/errors.ts";
import { COMMANDS, DATABASE_COMMANDS, USAGE } from "./account-commands.ts";
import { type Command, type Values, openDatabase } from "./command.ts";
import { ACCOUNT_COMMAND, VERSION } from "./installed.ts";
import { WORKER_COMMANDS } from "./worker-commands.ts";

const DATABASE = { ...DATABASE_COMMANDS, ...WORKER_COMMANDS };

const NO_OPERATOR =
  "Warning: this service has no operator who can sign in. Give operator rights to an account that has a password: " +
  `${ACCOUNT_COMMAND} operator --email E --rights on`;

/** The inputs of a run: its arguments, the server's settings, and the output streams. */
export type AccountRun = {
  readonly args: readonly string[];
  readonly settings: Readonly<Record<string, string | undefined>>;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
};

/** Runs `npm run account`. @returns Its exit code. */
export async function runAccount(run: AccountRun): Promise<number> {
  try {
    await execute(run);
    return 0;
  } catch (error) {
    const isMisuse = error instanceof UsageError;
    run.stderr.write(isMisuse ? describeMisuse(error.message) : `${toText(error)}\n`);
    return isMisuse ? MISUSED : 1;
  }
}

async function execute({ args: given, settings, stdout, stderr }: AccountRun): Promise<void> {
  const { name, args } = readName(given);
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const ofDatabase = Object.hasOwn(DATABASE, name) ? DATABASE[name] : undefined;
  const known = command ?? ofDatabase;
  const options = toOptions(known ?? { options: [] });
  const questions = name === "help" ? ["--help"] : given.filter(isQuestion);
  const read = readCommandLine({ usage: USAGE, version: VERSION, options }, known === undefined ? questions : args);
  if (typeof read === "string") {
    stdout.write(read);
    return;
  }
  const print = (result: object): void => void stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  const values = read.values as Values;
  if (ofDatabase !== undefined) {
    print(await ofDatabase.run(readConfig(settings), values));
    return;
  }
  if (command === undefined) throw new UsageError(describeUnknown(name));
  await using storage = await openDatabase(readConfig(settings));
  const { print: result, act } = await command.run(storage.accounts, values);
  // Secrets are shown only once, so they are printed before anything else can fail.
  print(result);
  if (act !== undefined) await storage.audit.record(COMMAND_LINE, act);
  if (command.canRemoveOperator === true && !(await storage.accounts.hasOperator())) stderr.write(`${NO_OPERATOR}\n`);
}

function describeUnknown(name: string): string {
  const names = [...Object.keys(COMMANDS), ...Object.keys(DATABASE)];
  if (name === "") return `Name a command: ${names.join(", ")}.`;
  return `There is no command ${JSON.stringify(name)}.${didYouMean(name, names)}`;
}

/** Commands that manage workers have two-word names. */
function readName([first = "", ...rest]: readonly string[]): { name: string; args: readonly string[] } {
  const [second = "", ...others] = rest;
  return first === "worker" ? { name: `${first} ${second}`.trim(), args: others } : { name: first, args: rest };
}

function toOptions({ options, flags = [] }: Pick<Command, "options" | "flags">): ParseArgsOptionsConfig {
  return Object.fromEntries([
    ...options.map((option) => [option, { type: "string" }] as const),
    ...flags.map((flag) => [flag, { type: "boolean" }] as const),
  ]);
}

/** Formats an expected error as its message, and a bug with its stack. */
function toText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause, message, stack } = error;
  if (error instanceof DatabaseUnusable && cause instanceof Error) return `${message}\n${cause.message}`;
  if (cause instanceof FolderInUse) return `${message}\n${cause.message}`;
  if (error instanceof AccountError && error.field === "plan")
    return `${message} Check that RBS_PLANS is the same as for the server.`;
  const isExpected = error instanceof AccountError || error instanceof ConfigError;
  return isExpected ? message : (stack ?? message);
}
