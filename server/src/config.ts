import { createHash } from "node:crypto";
import { availableParallelism, totalmem } from "node:os";
import { join, resolve } from "node:path";
import { z } from "zod";
import type { Plans } from "./domain/plan.ts";
import type { Rate } from "./domain/rate.ts";
import { readPlans } from "./plans.ts";

/** What one browser needs at most, as a rule of thumb: a graphical one with a few heavy pages. */
const BYTES_PER_BROWSER = 512 * 2 ** 20;

export type Config = {
  readonly host: string;
  readonly port: number;
  readonly publicUrl: URL | undefined;
  /** Absolute path of the folder that accounts and books are kept in. */
  readonly dataDir: string;
  /** Absolute path of the folder that open browsers keep their files in, each in one of its own. */
  readonly workDir: string;
  readonly capacity: number;
  readonly egress: "public" | "any";
  readonly origins: ReadonlySet<string>;
  /** Undefined: calls are not limited. */
  readonly rate: Rate | undefined;
  /** How long a stopping server waits for browsers to end by themselves, in ms. */
  readonly drainMs: number;
  readonly isolation: "jail" | "none";
  readonly plans: Plans;
  readonly launchTimeoutMs: number;
  readonly logLevel: string;
};

/** Every mistake in the settings, a line each. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** What clients are told by, which may stand in the same shell. */
const OF_CLIENTS = new Set(["RBS_URL", "RBS_TOKEN"]);

/** A number in a setting, with one message for whatever is wrong with it. */
function numberFrom(min: number, max: number, kind: "a whole number" | "a number" = "a whole number") {
  const error = `must be ${kind} from ${min} to ${max}`;
  const number = z.coerce.number(error).min(min, error).max(max, error);
  return kind === "a number" ? number : number.int(error);
}

const DAY_S = 86_400;

const origin = z
  .string()
  .refine(
    (text) => URL.parse(text)?.origin === text,
    "must be origins such as https://app.example, separated by commas",
  );

const publicUrl = z
  .string()
  .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ""), "must be an http:// or https:// URL")
  .transform((text) => new URL(text))
  .refine(
    (url) => url.search === "" && url.hash === "" && url.username === "",
    "must have no query, fragment or user name",
  );

const rate = z
  .string()
  .regex(/^[1-9]\d*\/[1-9]\d*$/, "must be requests/seconds, such as 100/60")
  .transform((text): Rate => {
    const [requests = 0, perS = 0] = text.split("/").map(Number);
    return { requests, perS };
  });

const settings = z.object({
  RBS_HOST: z.string().min(1).default("127.0.0.1"),
  RBS_PORT: numberFrom(0, 65_535).default(8080),
  RBS_PUBLIC_URL: publicUrl.optional(),
  RBS_DATA_DIR: z.string().min(1).default(".data"),
  RBS_WORK_DIR: z.string().min(1).optional(),
  RBS_CAPACITY: numberFrom(1, 10_000).optional(),
  RBS_EGRESS: z.enum(["public", "any"], "must be public or any").default("public"),
  RBS_ORIGINS: z
    .string()
    .transform((text) => text.split(",").map((part) => part.trim()))
    .pipe(z.array(origin))
    .optional(),
  RBS_RATE: rate.optional(),
  RBS_DRAIN_S: numberFrom(0, DAY_S, "a number").default(0),
  RBS_ISOLATION: z.enum(["jail", "none"], "must be jail or none").default("jail"),
  RBS_PLANS: z.string().min(1).optional(),
  RBS_LAUNCH_TIMEOUT_S: numberFrom(1, DAY_S, "a number").default(30),
  RBS_LOG_LEVEL: z
    .enum(["debug", "info", "warn", "error", "silent"], "must be debug, info, warn, error or silent")
    .default("info"),
});

/**
 * Reads the settings.
 * @param environment Where they stand; an empty value counts as not set. Relative paths start from the working folder.
 * @throws {ConfigError} That names every wrong setting, and every unknown one that begins with `RBS_`.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.entries(environment).filter(
    ([name, value]) => name.startsWith("RBS_") && value !== "" && !OF_CLIENTS.has(name),
  );
  const unknown = given
    .filter(([name]) => !(name in settings.shape))
    .map(([name]) => `${name} is no setting of this server`);
  const read = settings.safeParse(Object.fromEntries(given));
  const wrong = read.success ? [] : read.error.issues.map((issue) => toMistake(issue, environment));
  const plans = readPlans(environment["RBS_PLANS"] ?? "");
  const mistakes = [...unknown, ...wrong, ...plans.mistakes.map((mistake) => `RBS_PLANS: ${mistake}`)];
  if (!read.success || mistakes.length > 0) throw new ConfigError(mistakes.join("\n"));
  const { data } = read;
  return {
    host: data.RBS_HOST,
    port: data.RBS_PORT,
    publicUrl: data.RBS_PUBLIC_URL,
    dataDir: resolve(data.RBS_DATA_DIR),
    workDir: resolve(data.RBS_WORK_DIR ?? defaultWorkDir(resolve(data.RBS_DATA_DIR))),
    capacity: data.RBS_CAPACITY ?? defaultCapacity(),
    egress: data.RBS_EGRESS,
    origins: new Set(data.RBS_ORIGINS),
    rate: data.RBS_RATE,
    drainMs: data.RBS_DRAIN_S * 1000,
    isolation: data.RBS_ISOLATION,
    plans: plans.plans,
    launchTimeoutMs: data.RBS_LAUNCH_TIMEOUT_S * 1000,
    logLevel: data.RBS_LOG_LEVEL,
  };
}

function toMistake(
  { path, message }: z.core.$ZodIssue,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const [name] = path.map(String);
  return `${name ?? ""} ${message}, not ${JSON.stringify(environment[name ?? ""] ?? "")}`;
}

/**
 * A folder that every user can pass through, which the data folder of a server started by root often is not; each data
 * folder has its own.
 */
function defaultWorkDir(dataDir: string): string {
  const name = createHash("sha256").update(dataDir).digest("hex").slice(0, 12);
  return join("/var/tmp", `remote-browser-${name}`);
}

/** As many as fit into the memory, and no more than the cores can carry at a crawl. */
function defaultCapacity(): number {
  return Math.max(1, Math.min(Math.floor(totalmem() / BYTES_PER_BROWSER), availableParallelism() * 16));
}
