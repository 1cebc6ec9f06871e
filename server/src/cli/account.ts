import { argv, env, exit, stderr, stdout } from "node:process";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { ACCOUNT_COMMAND } from "./installed.ts";
import { COMMAND_LINE } from "../ports/audit-store.ts";
import { DatabaseUnusable, FolderInUse } from "../ports/store.ts";
import { COMMANDS, DATABASE_COMMANDS, USAGE } from "./account-commands.ts";
import type { Command, Values } from "./command.ts";
import { WORKER_COMMANDS } from "./worker-commands.ts";
import { OWN_MOUNTS, actAsOwner } from "../app/rights.ts";
import { openStorage } from "../app/storage.ts";
import { ConfigError, readConfig } from "../config/config.ts";
import { AccountError } from "../services/accounts/errors.ts";

const DATABASE = { ...DATABASE_COMMANDS, ...WORKER_COMMANDS };

const NO_OPERATOR =
  "Warning: this service has no operator who can sign in. Give operator rights to an account that has a password: " +
  `${ACCOUNT_COMMAND} operator --email E --rights on`;

async function main(given: readonly string[]): Promise<void> {
  const { name, args } = readName(given);
  if (name === "help" || [name, ...args].some((arg) => arg === "--help" || arg === "-h")) {
    stdout.write(USAGE);
    return;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const ofDatabase = Object.hasOwn(DATABASE, name) ? DATABASE[name] : undefined;
  if (ofDatabase !== undefined) {
    const values = readOptions(ofDatabase, args);
    const config = readConfig(env);
    await actAsOwner(config);
    print(await ofDatabase.run(config, values));
    return;
  }
  if (command === undefined) {
    stderr.write(name === "" ? USAGE : `Unknown command ${JSON.stringify(name)}.\n\n${USAGE}`);
    exit(2);
  }
  const values = readOptions(command, args);
  const config = readConfig(env);
  await actAsOwner(config);
  await using storage = await openStorage(config);
  const { print: result, act } = await command.run(storage.accounts, values);
  // Secrets are shown only once, so they are printed before anything else can fail.
  print(result);
  if (act !== undefined) await storage.audit.record(COMMAND_LINE, act);
  if (command.canRemoveOperator === true && !(await storage.accounts.hasOperator())) stderr.write(`${NO_OPERATOR}\n`);
}

/** The commands about workers have names of two words. */
function readName([first = "", ...rest]: readonly string[]): { name: string; args: readonly string[] } {
  const [second = "", ...others] = rest;
  return first === "worker" ? { name: `${first} ${second}`.trim(), args: others } : { name: first, args: rest };
}

function print(result: object): void {
  stdout.write(`${JSON.stringify(result, null, 2)}\n`);
}

function readOptions({ options, flags = [] }: Pick<Command, "options" | "flags">, args: readonly string[]): Values {
  const known: ParseArgsConfig["options"] = Object.fromEntries([
    ...options.map((option) => [option, { type: "string" }]),
    ...flags.map((flag) => [flag, { type: "boolean" }]),
  ]);
  return parseArgs({ args: joinValues(args, options), options: known }).values;
}

/** Joins a value that begins with one dash, such as -1, to its option: parseArgs would read it as an option. */
function joinValues(args: readonly string[], options: readonly string[]): string[] {
  const joined: string[] = [];
  for (const arg of args) {
    const before = joined.at(-1);
    const isValue = /^-[^-]/.test(arg) && before !== undefined && options.some((option) => before === `--${option}`);
    if (isValue) joined.splice(-1, 1, `${before}=${arg}`);
    else joined.push(arg);
  }
  return joined;
}

/** An expected error as its message; a bug with its stack. */
function toText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause, message, stack } = error;
  if (error instanceof DatabaseUnusable && cause instanceof Error) return `${message}\n${cause.message}`;
  if (cause instanceof FolderInUse) return `${message}\n${cause.message}`;
  if (error instanceof AccountError && error.field === "plan")
    return `${message} Check that RBS_PLANS is the same as for the server.`;
  const isExpected =
    error instanceof AccountError ||
    error instanceof ConfigError ||
    (error as NodeJS.ErrnoException).code?.startsWith("ERR_PARSE_ARGS") === true;
  return isExpected ? message : (stack ?? message);
}

main(argv.slice(2).filter((arg) => arg !== `--${OWN_MOUNTS}`)).catch((error: unknown) => {
  stderr.write(`${toText(error)}\n`);
  exit(1);
});
