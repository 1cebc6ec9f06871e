import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { z } from "zod";
import type { Plans } from "../domain/plan/plan.ts";
import type { Rate } from "../domain/account/account.ts";
import { MIN_MEMORY_MB } from "../domain/machine/bounds.ts";
import type { WarmSetting } from "../domain/warm/warm-set.ts";
import type { AddressRange } from "../domain/network/address-range.ts";
import { isLoopback } from "../domain/network/known-host.ts";
import type { UpstreamProxy } from "../domain/network/upstream-proxy.ts";
import type { EgressRules } from "../domain/network/egress-rules.ts";
import { aiSettings, toAiConfig, type AiConfig } from "./ai.ts";
import { addressRanges, egressSettings, toEgressRules } from "./egress.ts";
import { type Cluster, clusterSettings, findClusterFaults, findMisplaced, toCluster } from "./cluster.ts";
import { type Database, databaseSettings, findDatabaseFault, toDatabase } from "./database.ts";
import { type FirstAccount, firstAccountSettings, toFirstAccount } from "./first-account.ts";
import { planFile, withSelfHosted } from "./plans.ts";
import { proxyList } from "./proxies.ts";
import { SECRETS, readSecretFiles } from "./secret-files.ts";
import { numberFrom, siteUrl } from "./setting-kinds.ts";
import { AUTO, warmSets } from "./warm-sets.ts";

export type Config = {
  readonly host: string;
  readonly port: number;
  readonly publicUrl: URL | undefined;
  /** Absolute path of the folder for the database and the server's keys. */
  readonly dataDir: string;
  /** Absolute path of the folder for the files of open browsers; each has a folder of its own in it. */
  readonly workDir: string;
  /** Whether the server chose the work folder, and removes it when it stops. */
  readonly isWorkDirTemporary: boolean;
  /** How many browsers may be open at the same time; undefined: what the machine can run. */
  readonly capacity: number | undefined;
  /** How many browsers may start at the same time. */
  readonly launches: number;
  /** The browsers to keep ready. */
  readonly warm: WarmSetting;
  /** How many sandboxes to prepare for each kind of browser that was opened. */
  readonly spareSandboxes: number;
  /** What a browser may use; undefined: as much as suits the machine. */
  readonly browserMemoryBytes: number | undefined;
  readonly browserDiskBytes: number | undefined;
  /** Whether the files of browsers in sandboxes lie on disk, below the work folder, or in memory. */
  readonly areFilesOnDisk: boolean;
  /** Network connections that a browser may have at the same time. */
  readonly browserConnections: number;
  /** Where browsers may connect to. */
  readonly egress: EgressRules;
  /** Proxies for browsers that are opened without one; empty: those browsers connect directly. */
  readonly proxies: readonly UpstreamProxy[];
  readonly origins: ReadonlySet<string>;
  /** Reverse proxies whose headers about the client's address and scheme the server trusts. */
  readonly trustedProxies: readonly AddressRange[];
  /** Undefined: an SQLite database in the data folder. */
  readonly database: Database | undefined;
  /** Undefined: this server has browsers, the API and pages. */
  readonly cluster: Cluster | undefined;
  /** Keys of 32 bytes in base64, one per line; undefined: one in the data folder. */
  readonly secretKey: string | undefined;
  /** How long the records of ended browsers are kept, in days; undefined: forever. */
  readonly historyDays: number | undefined;
  readonly firstAccount: FirstAccount;
  /** Whether users can create accounts on the sign-up page. */
  readonly signUp: "open" | "closed";
  /** Undefined: calls are not limited. */
  readonly rate: Rate | undefined;
  /** How long a stopping server waits for its browsers to close, in ms. */
  readonly drainMs: number;
  readonly isolation: "sandbox" | "none";
  /** Name or number of the user that a server of root's runs as; undefined: one that owns nothing else. */
  readonly user: string | undefined;
  readonly plans: Plans;
  readonly launchTimeoutMs: number;
  readonly ai: AiConfig;
  /** The token for reading metrics; undefined: no token, and only a server for this machine shows metrics. */
  readonly metricsToken: string | undefined;
  readonly logLevel: string;
  /** Whether log lines are JSON, or text to read; `auto`: text at a terminal. */
  readonly logFormat: "auto" | "json" | "text";
  /** Absolute paths of the files that settings name. */
  readonly files: readonly string[];
};

/** Every mistake in the settings, one per line. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Settings with the names that all programs use for this provider. */
const OF_PROVIDER: ReadonlySet<string> = new Set(["ANTHROPIC_API_KEY", "ANTHROPIC_API_KEY_FILE", "ANTHROPIC_BASE_URL"]);

/** Settings of the clients and the conformance suite, which may be set in the same shell. */
const OF_CLIENTS = /^RBS_(URL|TOKEN|TOKEN_[A-Z_]+)$/;

/** Settings whose value can be the path of a file. */
const WITH_FILES = ["RBS_PLANS", "RBS_PROXIES", "RBS_WARM", "RBS_CLUSTER_KEY_FILE"];

/** Messages about these never repeat the value. */
const UNREPEATED = new Set([...SECRETS, "ANTHROPIC_BASE_URL", "RBS_WARM"]);

const DAY_S = 86_400;

/** A profile with a few pages has 40 MB. */
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
    // A starting browser keeps a core busy for a third of the time, and waits the rest of the time.
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
      // The name of `sandbox` in earlier versions.
      .transform((value) => (value === "jail" ? "sandbox" : value))
      .default("sandbox"),
    RBS_USER: z
      .string()
      .regex(/^[\w.][\w.-]*\$?$/, "must be the name or number of a user")
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
  .transform((values): Omit<Config, "files"> => {
    const [host, publicUrl] = [values.RBS_HOST, values.RBS_PUBLIC_URL];
    const isLocal = isForThisMachine({ host, publicUrl, trustedProxies: values.RBS_TRUSTED_PROXIES });
    const dataDir = resolve(values.RBS_DATA_DIR);
    return {
      host,
      port: values.RBS_PORT,
      publicUrl,
      dataDir,
      workDir: resolve(values.RBS_WORK_DIR ?? defaultWorkDir(dataDir)),
      isWorkDirTemporary: values.RBS_WORK_DIR === undefined,
      capacity: values.RBS_CAPACITY,
      launches: values.RBS_LAUNCHES,
      warm: values.RBS_WARM,
      spareSandboxes: values.RBS_SPARE_SANDBOXES,
      browserMemoryBytes: toBytes(values.RBS_BROWSER_MEMORY_MB),
      browserDiskBytes: toBytes(values.RBS_BROWSER_DISK_MB),
      areFilesOnDisk: values.RBS_BROWSER_DISK === "disk",
      browserConnections: values.RBS_BROWSER_CONNECTIONS,
      egress: toEgressRules(values),
      proxies: values.RBS_PROXIES,
      origins: new Set(values.RBS_ORIGINS),
      trustedProxies: values.RBS_TRUSTED_PROXIES,
      database: toDatabase(values),
      cluster: toCluster(values),
      secretKey: values.RBS_SECRET_KEY,
      historyDays: values.RBS_HISTORY_DAYS,
      firstAccount: toFirstAccount(values),
      signUp: values.RBS_SIGNUP ?? (isLocal ? "open" : "closed"),
      rate: values.RBS_RATE,
      drainMs: values.RBS_DRAIN_S * 1000,
      isolation: values.RBS_ISOLATION,
      user: values.RBS_USER,
      plans: withSelfHosted(values.RBS_PLANS, isLocal),
      launchTimeoutMs: values.RBS_LAUNCH_TIMEOUT_S * 1000,
      ai: toAiConfig(values),
      metricsToken: values.RBS_METRICS_TOKEN,
      logLevel: values.RBS_LOG_LEVEL,
      logFormat: values.RBS_LOG_FORMAT,
    };
  });

/**
 * Reads the settings, and the files that they name.
 * @param environment An empty value counts as not set. Relative paths start from the working folder.
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

/** Whether only users of this machine can reach the server. Behind a reverse proxy, other users can also reach it. */
export function isForThisMachine({
  host,
  publicUrl,
  trustedProxies,
}: Pick<Config, "host" | "publicUrl" | "trustedProxies">): boolean {
  return isLoopback(host) && publicUrl === undefined && trustedProxies.length === 0;
}

/**
 * An issue in words for the operator. An issue inside a setting's value names its place there: `RBS_PROXIES: line 2 …`.
 */
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
 * A folder that every user can traverse; the data folder of a server started by root often doesn't allow that.
 * Each data folder has a work folder of its own.
 */
function defaultWorkDir(dataDir: string): string {
  const name = createHash("sha256").update(dataDir).digest("hex").slice(0, 12);
  return join("/var/tmp", `remote-browser-${name}`);
}
