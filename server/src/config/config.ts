import { createHash } from "node:crypto";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { z } from "zod";
import { aiSettings, OF_PROVIDER, toAiConfig, type AiConfig } from "./ai.ts";
import type { Plans } from "../domain/account/plan.ts";
import type { Rate } from "../domain/account/rate.ts";
import type { AddressRange } from "../domain/network/address-range.ts";
import type { WarmSet } from "../domain/browser/warm-set.ts";
import type { UpstreamProxy } from "../domain/network/upstream-proxy.ts";
import { isLoopback } from "../domain/network/known-host.ts";
import { readPlans } from "./plans.ts";
import { readWarmSets } from "./warm-sets.ts";
import { readProxies } from "./proxies.ts";
import { readTrustedProxies } from "./trusted-proxies.ts";
import { numberFrom, siteUrl } from "./setting-kinds.ts";

export type Config = {
  readonly host: string;
  readonly port: number;
  readonly publicUrl: URL | undefined;
  /** Absolute path of the folder that accounts and books are kept in. */
  readonly dataDir: string;
  /** Absolute path of the folder that open browsers keep their files in, each in one of its own. */
  readonly workDir: string;
  /** Browsers that may be open at once; undefined: as many as the machine carries. */
  readonly capacity: number | undefined;
  /** Browsers that may be starting at once. */
  readonly launches: number;
  /** What stands ready before it is asked for; undefined: what the machine has room for. */
  readonly warm: readonly WarmSet[] | undefined;
  readonly egress: "public" | "any";
  /** What browsers leave through that bring no proxy of their own; none: they go out directly. */
  readonly proxies: readonly UpstreamProxy[];
  readonly origins: ReadonlySet<string>;
  /** Whose word about the client's address and scheme counts: reverse proxies in front of this server. */
  readonly trustedProxies: readonly AddressRange[];
  /** Whether people may make accounts by themselves. */
  readonly signUp: "open" | "closed";
  /** Undefined: calls are not limited. */
  readonly rate: Rate | undefined;
  /** How long a stopping server waits for browsers to end by themselves, in ms. */
  readonly drainMs: number;
  readonly isolation: "jail" | "none";
  readonly plans: Plans;
  readonly launchTimeoutMs: number;
  readonly ai: AiConfig;
  /** What a scraper of the metrics shows; undefined: nothing, where none but this machine reaches the server. */
  readonly metricsToken: string | undefined;
  readonly logLevel: string;
};

/** Every mistake in the settings, a line each. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** What clients and the conformance suite are told by, which may stand in the same shell. */
const OF_CLIENTS = /^RBS_(URL|TOKEN|TOKEN_[A-Z_]+)$/;

/** A mistake in these is told without the value. */
const SECRET = new Set([...OF_PROVIDER, "RBS_METRICS_TOKEN"]);

const DAY_S = 86_400;

const origin = z
  .string()
  .refine(
    (text) => URL.parse(text)?.origin === text,
    "must be origins such as https://app.example, separated by commas",
  );

const rate = z
  .string()
  .regex(/^[1-9]\d*\/[1-9]\d*$/, "must be requests/seconds, such as 100/60")
  .transform((text): Rate => {
    const [requests = 0, perS = 0] = text.split("/").map(Number);
    return { requests, perS };
  });

const settings = z.object({
  ...aiSettings.shape,
  RBS_HOST: z.string().min(1).default("127.0.0.1"),
  RBS_PORT: numberFrom(0, 65_535).default(8080),
  RBS_PUBLIC_URL: siteUrl.optional(),
  RBS_DATA_DIR: z.string().min(1).default(".data"),
  RBS_WORK_DIR: z.string().min(1).optional(),
  RBS_CAPACITY: numberFrom(1, 10_000).optional(),
  RBS_LAUNCHES: numberFrom(1, 1000).optional(),
  RBS_WARM: z.string().optional(),
  RBS_EGRESS: z.enum(["public", "any"], "must be public or any").default("public"),
  RBS_PROXIES: z.string().min(1).optional(),
  RBS_ORIGINS: z
    .string()
    .transform((text) => text.split(",").map((part) => part.trim()))
    .pipe(z.array(origin))
    .optional(),
  RBS_TRUSTED_PROXIES: z.string().min(1).optional(),
  RBS_SIGNUP: z.enum(["open", "closed"], "must be open or closed").optional(),
  RBS_RATE: rate.optional(),
  RBS_DRAIN_S: numberFrom(0, DAY_S, "a number").default(0),
  RBS_ISOLATION: z.enum(["jail", "none"], "must be jail or none").default("jail"),
  RBS_PLANS: z.string().min(1).optional(),
  RBS_LAUNCH_TIMEOUT_S: numberFrom(1, DAY_S, "a number").default(30),
  RBS_METRICS_TOKEN: z
    .string()
    .regex(/^\S{16,}$/, "must have 16 characters or more and no spaces")
    .optional(),
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
    ([name, value]) => (name.startsWith("RBS_") || OF_PROVIDER.has(name)) && value !== "" && !OF_CLIENTS.test(name),
  );
  const unknown = given
    .filter(([name]) => !(name in settings.shape))
    .map(([name]) => `${name} is no setting of this server`);
  const read = settings.safeParse(Object.fromEntries(given));
  const wrong = read.success ? [] : read.error.issues.map((issue) => toMistake(issue, environment));
  const trusted = readTrustedProxies(environment["RBS_TRUSTED_PROXIES"] ?? "");
  const isAlone =
    read.success &&
    isForThisMachine({
      host: read.data.RBS_HOST,
      publicUrl: read.data.RBS_PUBLIC_URL,
      trustedProxies: trusted.ranges,
    });
  const plans = readPlans(environment["RBS_PLANS"] ?? "", isAlone);
  const proxies = readProxies(environment["RBS_PROXIES"] ?? "");
  const warm = readWarmSets(environment["RBS_WARM"] ?? "");
  const mistakes = [
    ...unknown,
    ...wrong,
    ...plans.mistakes.map((mistake) => `RBS_PLANS: ${mistake}`),
    ...proxies.mistakes.map((mistake) => `RBS_PROXIES: ${mistake}`),
    ...trusted.mistakes.map((mistake) => `RBS_TRUSTED_PROXIES: ${mistake}`),
    ...warm.mistakes.map((mistake) => `RBS_WARM: ${mistake}`),
  ];
  if (!read.success || mistakes.length > 0) throw new ConfigError(mistakes.join("\n"));
  const { data } = read;
  return {
    host: data.RBS_HOST,
    port: data.RBS_PORT,
    publicUrl: data.RBS_PUBLIC_URL,
    dataDir: resolve(data.RBS_DATA_DIR),
    workDir: resolve(data.RBS_WORK_DIR ?? defaultWorkDir(resolve(data.RBS_DATA_DIR))),
    capacity: data.RBS_CAPACITY,
    launches: data.RBS_LAUNCHES ?? defaultLaunches(),
    warm: warm.sets,
    egress: data.RBS_EGRESS,
    proxies: proxies.proxies,
    origins: new Set(data.RBS_ORIGINS),
    trustedProxies: trusted.ranges,
    signUp: data.RBS_SIGNUP ?? (isAlone ? "open" : "closed"),
    rate: data.RBS_RATE,
    drainMs: data.RBS_DRAIN_S * 1000,
    isolation: data.RBS_ISOLATION,
    plans: plans.plans,
    launchTimeoutMs: data.RBS_LAUNCH_TIMEOUT_S * 1000,
    ai: toAiConfig(data),
    metricsToken: data.RBS_METRICS_TOKEN,
    logLevel: data.RBS_LOG_LEVEL,
  };
}

/** Whether nobody but this machine's own users reaches the server; where a proxy stands in front, others do. */
export function isForThisMachine({
  host,
  publicUrl,
  trustedProxies,
}: Pick<Config, "host" | "publicUrl" | "trustedProxies">): boolean {
  return isLoopback(host) && publicUrl === undefined && trustedProxies.length === 0;
}

function toMistake(
  { path, message }: z.core.$ZodIssue,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const [name] = path.map(String);
  if (SECRET.has(name ?? "")) return `${name ?? ""} ${message}`;
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

/** Three a core: a start keeps a good part of a core busy, and waits for other things meanwhile. */
function defaultLaunches(): number {
  return availableParallelism() * 3;
}
