import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { z } from "zod";
import type { Rate } from "../domain/account/account.ts";
import { MIN_MEMORY_MB } from "../domain/machine/bounds.ts";
import type { AddressRange } from "../domain/network/address-range.ts";
import { isLoopback } from "../domain/network/known-host.ts";
import { aiSettings, toAiConfig } from "./ai.ts";
import { addressRanges, egressSettings, toEgressRules } from "./egress.ts";
import { clusterSettings, findClusterFaults, findMisplaced, toCluster } from "./cluster.ts";
import { databaseSettings, findDatabaseFault, toDatabase } from "./database.ts";
import { firstAccountSettings, toFirstAccount } from "./first-account.ts";
import { planFile, withSelfHosted } from "./plans.ts";
import { proxyList } from "./proxies.ts";
import { SECRETS, readSecretFiles } from "./secret-files.ts";
import { numberFrom, siteUrl } from "./setting-kinds.ts";
import { AUTO, warmSets } from "./warm-sets.ts";

/** Lists every mistake in the settings, one per line. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** The AI provider's standard settings, whose names don't begin with `RBS_`. */
const OF_PROVIDER: ReadonlySet<string> = new Set(["ANTHROPIC_API_KEY", "ANTHROPIC_API_KEY_FILE", "ANTHROPIC_BASE_URL"]);

/** Settings for the clients and the conformance suite, which may be set in the same environment. */
const OF_CLIENTS = /^RBS_(URL|TOKEN|TOKEN_[A-Z_]+)$/;

/** Settings whose value can be a file path. */
const WITH_FILES = ["RBS_PLANS", "RBS_PROXIES", "RBS_WARM", "RBS_CLUSTER_KEY_FILE"];

/** Settings whose values never appear in messages. */
const UNREPEATED = new Set([...SECRETS, "ANTHROPIC_BASE_URL", "RBS_WARM"]);

const DAY_S = 86_400;

/** A profile with a few pages uses 40 MB. */
const MIN_DISK_MB = 64;
const MAX_MB = 1_000_000;
const MIB = 2 ** 20;

const settings = z
  .strictObject({
    ...aiSettings.shape,
    ...firstAccountSettings.shape,
    ...databaseSettings.shape,
    ...clusterSettings.shape,
    RBS_HOST: z.string().default("127.0.0.1"),
    RBS_PORT: numberFrom(0, 65_535).default(8080),
    RBS_PUBLIC_URL: siteUrl.optional(),
    RBS_DATA_DIR: z.string().default(".data"),
    RBS_WORK_DIR: z.string().optional(),
    RBS_CAPACITY: numberFrom(1, 10_000).optional(),
    // While it starts, a browser uses a core for a third of the time and waits for the rest.
    RBS_LAUNCHES: numberFrom(1, 1000).default(() => availableParallelism() * 3),
    RBS_WARM: warmSets.default(AUTO),
    RBS_SPARE_SANDBOXES: numberFrom(0, 100).default(2),
    RBS_BROWSER_MEMORY_MB: numberFrom(MIN_MEMORY_MB, MAX_MB).optional(),
    RBS_BROWSER_DISK_MB: numberFrom(MIN_DISK_MB, MAX_MB).optional(),
    RBS_BROWSER_DISK: z.enum(["memory", "disk"], "must be memory or disk").default("memory"),
    ...egressSettings.shape,
    RBS_BROWSER_CONNECTIONS: numberFrom(16, 10_000).default(256),
    RBS_PROXIES: proxyList.default([]),
    RBS_ORIGINS: z
      .string()
      .transform((text) => text.split(",").map((part) => part.trim()))
      .refine(
        (origins) => origins.every((text) => URL.parse(text)?.origin === text),
        "must be origins such as https://app.example, separated by commas",
      )
      .default([]),
    RBS_TRUSTED_PROXIES: addressRanges.default([]),
    RBS_SIGNUP: z.enum(["open", "closed"], "must be open or closed").optional(),
    RBS_RATE: z
      .string()
      .regex(/^[1-9]\d*\/[1-9]\d*$/, "must be requests/seconds, such as 100/60")
      .transform((text): Rate => {
        const [requests = 0, perS = 0] = text.split("/").map(Number);
        return { requests, perS };
      })
      .optional(),
    RBS_DRAIN_S: numberFrom(0, DAY_S, "a number").default(0),
    RBS_ISOLATION: z
      .enum(["sandbox", "none", "jail"], "must be sandbox or none")
      // `jail` is the former name of `sandbox`.
      .transform((value) => (value === "jail" ? "sandbox" : value))
      .default("sandbox"),
    RBS_USER: z
      .string()
      .regex(/^[\w.][\w.-]*\$?$/, "must be a user name or number")
      .optional(),
    RBS_PLANS: planFile.default([]),
    RBS_LAUNCH_TIMEOUT_S: numberFrom(1, DAY_S, "a number").default(30),
    RBS_METRICS_TOKEN: z
      .string()
      .regex(/^\S{16,}$/, "must have 16 or more characters and no spaces")
      .optional(),
    RBS_LOG_FORMAT: z.enum(["auto", "json", "text"], "must be auto, json or text").default("auto"),
    RBS_LOG_LEVEL: z.enum(["info", "warn", "error", "silent"], "must be info, warn, error or silent").default("info"),
  })
  .superRefine((values, context) => {
    const fault = findDatabaseFault(values);
    if (fault !== undefined) context.addIssue(fault);
    for (const each of findClusterFaults(values)) context.addIssue(each);
  })
  .transform((values) => {
    const [host, publicUrl, trustedProxies] = [values.RBS_HOST, values.RBS_PUBLIC_URL, values.RBS_TRUSTED_PROXIES];
    const isLocal = isForThisMachine({ host, publicUrl, trustedProxies });
    const dataDir = resolve(values.RBS_DATA_DIR);
    return {
      host,
      port: values.RBS_PORT,
      publicUrl,
      /** Absolute path of the folder for the database and the server's keys. */
      dataDir,
      /** Absolute path of the folder that contains a folder for each open browser's files. */
      workDir: resolve(values.RBS_WORK_DIR ?? defaultWorkDir(dataDir)),
      /** Whether the server chose the work folder itself. If so, the server deletes the folder when it stops. */
      isWorkDirTemporary: values.RBS_WORK_DIR === undefined,
      /** Maximum number of open browsers; undefined: as many as the machine can run. */
      capacity: values.RBS_CAPACITY,
      /** Maximum number of browsers that start at the same time. */
      launches: values.RBS_LAUNCHES,
      /** The browsers to keep ready. */
      warm: values.RBS_WARM,
      /** Number of sandboxes to prepare for each kind of browser that has been opened. */
      spareSandboxes: values.RBS_SPARE_SANDBOXES,
      /** A browser's memory and disk limits; undefined: calculated from the machine's resources. */
      browserMemoryBytes: toBytes(values.RBS_BROWSER_MEMORY_MB),
      browserDiskBytes: toBytes(values.RBS_BROWSER_DISK_MB),
      /** Whether sandboxed browsers store their files on disk, below the work folder, or in memory. */
      areFilesOnDisk: values.RBS_BROWSER_DISK === "disk",
      /** Maximum number of simultaneous network connections per browser. */
      browserConnections: values.RBS_BROWSER_CONNECTIONS,
      /** The addresses, ports and domains that browsers may connect to. */
      egress: toEgressRules(values),
      /** Proxies for browsers that are opened without a proxy. If empty, such browsers connect directly. */
      proxies: values.RBS_PROXIES,
      origins: new Set(values.RBS_ORIGINS),
      /** Reverse proxies that the server trusts to report the client's address and scheme. */
      trustedProxies,
      /** Undefined: an SQLite database in the data folder. */
      database: toDatabase(values),
      /** Undefined: this server runs browsers and serves both the API and the pages. */
      cluster: toCluster(values),
      /** 32-byte keys in base64, one per line; undefined: a key in the data folder. */
      secretKey: values.RBS_SECRET_KEY,
      /** Number of days for which records of ended browsers are kept. Undefined: forever. */
      historyDays: values.RBS_HISTORY_DAYS,
      firstAccount: toFirstAccount(values),
      /** Whether users can create accounts on the sign-up page. */
      signUp: values.RBS_SIGNUP ?? (isLocal ? "open" : "closed"),
      /** Undefined: no rate limit. */
      rate: values.RBS_RATE,
      /** Maximum time that a stopping server waits for its browsers to close, in ms. */
      drainMs: values.RBS_DRAIN_S * 1000,
      isolation: values.RBS_ISOLATION,
      /** Name or number of the user to run as when started by root. Undefined: a user that owns nothing else. */
      user: values.RBS_USER,
      plans: withSelfHosted(values.RBS_PLANS, isLocal),
      launchTimeoutMs: values.RBS_LAUNCH_TIMEOUT_S * 1000,
      ai: toAiConfig(values),
      /** The token for reading metrics; if undefined, metrics are served only if `isForThisMachine`. */
      metricsToken: values.RBS_METRICS_TOKEN,
      logLevel: values.RBS_LOG_LEVEL,
      /** Whether log lines are JSON or readable text. `auto`: text in a terminal, otherwise JSON. */
      logFormat: values.RBS_LOG_FORMAT,
    };
  });

/** All settings of a server. */
export type Config = Readonly<z.output<typeof settings>> & {
  /** Absolute paths of the files that the settings refer to. */
  readonly files: readonly string[];
};

/**
 * Reads the settings and the files that they refer to.
 * @param environment Empty values count as unset. Relative paths are relative to the working folder.
 * @throws {ConfigError} Lists every invalid setting, and every unknown name that begins with `RBS_`.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const relevant = Object.entries(environment).filter(
    ([name, value]) => (name.startsWith("RBS_") || OF_PROVIDER.has(name)) && value !== "" && !OF_CLIENTS.test(name),
  );
  const { settings: given, files, ...read } = readSecretFiles(Object.fromEntries(relevant) as Record<string, string>);
  const mistakes = [...read.mistakes, ...findMisplaced(given)];
  const { data, error } = settings.safeParse(given);
  if (data !== undefined && mistakes.length === 0) return { ...data, files: [...findFiles(given), ...files] };
  const issues = error?.issues.flatMap((issue) => toMessages(issue, given)) ?? [];
  throw new ConfigError([...mistakes, ...issues].join("\n"));
}

function toBytes(mb: number | undefined): number | undefined {
  return mb === undefined ? undefined : mb * MIB;
}

function findFiles(given: Readonly<Record<string, string | undefined>>): readonly string[] {
  return WITH_FILES.flatMap((name) => given[name] ?? [])
    .map((text) => resolve(text))
    .filter((path) => existsSync(path));
}

/** Returns whether only this machine can reach the server. With a reverse proxy, other machines can also reach it. */
export function isForThisMachine(config: {
  readonly host: string;
  readonly publicUrl: URL | undefined;
  readonly trustedProxies: readonly AddressRange[];
}): boolean {
  return isLoopback(config.host) && config.publicUrl === undefined && config.trustedProxies.length === 0;
}

/** Describes an issue for the operator. An issue within a value includes its location: `RBS_PROXIES: line 2 …`. */
function toMessages(issue: z.core.$ZodIssue, environment: Readonly<Record<string, string | undefined>>): string[] {
  const [name, ...location] = issue.path.map(String);
  if (name === undefined)
    return issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => `${key} is not a setting of this server`)
      : [issue.message];
  const message = `${[name, ...location].join(": ")} ${issue.message}`;
  return [
    location.length > 0 || UNREPEATED.has(name) ? message : `${message}, not ${JSON.stringify(environment[name])}`,
  ];
}

/**
 * Returns a work folder that every user can traverse. If root starts the server, other users often can't traverse the
 * data folder. Each data folder has its own work folder.
 */
function defaultWorkDir(dataDir: string): string {
  const name = createHash("sha256").update(dataDir).digest("hex").slice(0, 12);
  return join("/var/tmp", `remote-browser-${name}`);
}
