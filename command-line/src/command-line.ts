import { readFileSync } from "node:fs";
import { argv, exit, stderr, stdout } from "node:process";
import { type ParseArgsOptionsConfig, parseArgs } from "node:util";

/** A command's usage and arguments. All commands also accept `--help`, `-h` and `--version`. */
type Command<Options extends ParseArgsOptionsConfig> = {
  /** The output of `--help`: how to call the command, what it does, and its options with their defaults. */
  readonly usage: string;
  /** The options, in the format of Node's `parseArgs`. Default: none. */
  readonly options?: Options;
  /** The maximum number of positional arguments. Default: 0. */
  readonly maxArguments?: number;
  /** Default: this workspace's version. */
  readonly version?: string;
};

/** The user's options and arguments, as `parseArgs` returns them. */
type Given<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: Options; allowPositionals: true }>
>;

/** Whether an argument asks for help or the version. */
export function isQuestion(argument: string): boolean {
  return [HELP, SHORT_HELP, VERSION].includes(argument);
}

/** A command-line error, with a message for the user. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The exit code for an invalid command line. */
export const MISUSED = 2;

const [HELP, SHORT_HELP, VERSION] = ["--help", "-h", "--version"];

/**
 * Parses a command line. A value may begin with one dash, such as -1.
 * @returns The help or version if the user asked for it; otherwise, the options and arguments.
 * @throws {UsageError} For the first mistake.
 */
export function readCommandLine<const Options extends ParseArgsOptionsConfig>(
  { usage, options, maxArguments = 0, version }: Command<Options>,
  args: readonly string[],
): string | Given<Options> {
  const end = args.indexOf("--");
  const words = end === -1 ? args : args.slice(0, end);
  if (words.includes(HELP) || words.includes(SHORT_HELP)) return usage;
  if (words.includes(VERSION)) return `${version ?? readWorkspaceVersion()}\n`;
  // Not strict, because Node's own error messages don't suggest the right option.
  const how = { allowPositionals: true, strict: false, tokens: true } as const;
  const { values, positionals, tokens } = parseArgs({ ...how, args: [...args], options: options ?? {} });
  for (const token of tokens) if (token.kind === "option") checkOption(token, options ?? {});
  const extra = positionals[maxArguments];
  if (extra !== undefined) {
    const meant = Object.hasOwn(options ?? {}, extra) ? ` Did you mean --${extra}?` : "";
    throw new UsageError(`The argument ${JSON.stringify(extra)} is unexpected.${meant}`);
  }
  return { values, positionals } as Given<Options>;
}

/** Parses a program's command line. Exits after printing the help, the version or an error. */
export function startCommand<const Options extends ParseArgsOptionsConfig>(
  command: Command<Options>,
  args: readonly string[] = argv.slice(2),
): Given<Options> {
  try {
    const read = readCommandLine(command, args);
    if (typeof read !== "string") return read;
    stdout.write(read);
  } catch (error) {
    if (error instanceof UsageError) misuse(error.message);
    throw error;
  }
  exit(0);
}

/** Exits with an error about the command line. @param message Names the mistake and the value, and says what to do. */
export function misuse(message: string): never {
  stderr.write(describeMisuse(message));
  exit(MISUSED);
}

/** Returns the error output for an invalid command line. @param message As for `misuse`. */
export function describeMisuse(message: string): string {
  return `${message}\n--help shows how to call this command.\n`;
}

/** Returns a "Did you mean …?" suggestion for a message about an unknown name. Empty if no known name is similar. */
export function didYouMean(given: string, known: readonly string[]): string {
  const isNear = (name: string): boolean =>
    countEdits(given.toLowerCase(), name.toLowerCase()) <= Math.max(1, Math.floor(name.length / 3)) ||
    (given.length > 1 && name.startsWith(given));
  const [nearest] = known.filter(isNear).toSorted((one, other) => countEdits(given, one) - countEdits(given, other));
  return nearest === undefined ? "" : ` Did you mean ${nearest}?`;
}

type OptionToken = {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
};

function checkOption({ name, rawName, value, inlineValue }: OptionToken, options: ParseArgsOptionsConfig): void {
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  if (option === undefined) {
    const known = [...Object.keys(options).map((each) => `--${each}`), HELP, VERSION];
    throw new UsageError(`There is no option ${rawName}.${didYouMean(rawName, known)}`);
  }
  if (option.type === "boolean" && value !== undefined) throw new UsageError(`${rawName} takes no value.`);
  const isNext = inlineValue === false && value?.startsWith("--") === true;
  if (option.type === "string" && (value === undefined || isNext)) throw new UsageError(`${rawName} needs a value.`);
}

/** Counts the letters that must be inserted, removed, replaced or swapped with their neighbor. */
function countEdits(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let at = 1; at <= to.length; at += 1) {
      const before = (up: number, left: number): number => (up === 0 ? current : rows[row - up])?.[at - left] ?? 0;
      const isSame = from[row - 1] === to[at - 1];
      const isSwapped = row > 1 && at > 1 && from[row - 1] === to[at - 2] && from[row - 2] === to[at - 1];
      current.push(
        Math.min(
          before(1, 0) + 1,
          before(0, 1) + 1,
          before(1, 1) + (isSame ? 0 : 1),
          isSwapped ? before(2, 2) + 1 : Infinity,
        ),
      );
    }
    rows.push(current);
  }
  return rows[from.length]?.[to.length] ?? 0;
}

/** Works in this folder and in `server/dist`, which is also two levels below the root. */
function readWorkspaceVersion(): string {
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}
