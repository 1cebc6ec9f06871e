import { resolve } from "node:path";
import { z } from "zod";
import { baseUrl, siteUrl } from "./setting-kinds.ts";

type CertificateFiles = { readonly ca: string; readonly cert: string; readonly key: string };

/** A server's role in a cluster of front-ends and workers. */
export type Cluster = {
  /** The server sends the first secret and accepts any of them. */
  readonly secrets: readonly [string, ...string[]];
  /** Absolute paths of the files for TLS between servers; undefined if this server doesn't use TLS. */
  readonly certificates: CertificateFiles | undefined;
} & (
  | { readonly role: "front" }
  | {
      readonly role: "worker";
      /** The URL at which front-ends reach this worker. */
      readonly url: URL;
      /** The URL at which clients connect directly to this worker; undefined if they connect through a front-end. */
      readonly publicUrl: URL | undefined;
    }
);

const SECRET = /^[\x21-\x7e]{32,}$/;

export const clusterSettings = z.object({
  RBS_ROLE: z.enum(["all", "front", "worker"], "must be all, front or worker").default("all"),
  RBS_WORKER_URL: baseUrl.optional(),
  RBS_WORKER_PUBLIC_URL: siteUrl.optional(),
  RBS_CLUSTER_SECRET: z
    .string()
    .transform((text, context): Cluster["secrets"] => {
      const [first = "", ...others] = text.trim().split(/\s*\n\s*/);
      if (others.length > 1 || ![first, ...others].every((secret) => SECRET.test(secret)))
        context.addIssue(
          "must have one or two lines, each with a secret of 32 or more characters and no spaces: openssl rand -hex 32 > cluster.secret",
        );
      return [first, ...others];
    })
    .optional(),
  RBS_CLUSTER_CA_FILE: z.string().optional(),
  RBS_CLUSTER_CERT_FILE: z.string().optional(),
  RBS_CLUSTER_KEY_FILE: z.string().optional(),
});

type Settings = z.infer<typeof clusterSettings>;

/** Returns one sentence per conflict between settings. */
export function findClusterFaults({
  RBS_ROLE: role,
  RBS_CLUSTER_SECRET: secrets,
  RBS_WORKER_URL: url,
  RBS_WORKER_PUBLIC_URL: publicUrl,
  RBS_DATABASE_URL: database,
  ...files
}: Settings & { readonly RBS_DATABASE_URL?: string | undefined }): string[] {
  const [isAlone, isWorker] = [role === "all", role === "worker"];
  const withoutEffect = `has no effect with RBS_ROLE=${role}: remove it, or set RBS_ROLE=worker`;
  const rules: readonly (readonly [isBroken: boolean, message: string])[] = [
    [
      !isAlone && database === undefined,
      `RBS_ROLE=${role} needs RBS_DATABASE_URL, with the same database on every server in the cluster`,
    ],
    [
      !isAlone && secrets === undefined,
      `RBS_ROLE=${role} needs RBS_CLUSTER_SECRET_FILE, with the same secret for all servers of the cluster: openssl rand -hex 32 > cluster.secret`,
    ],
    [
      isAlone && secrets !== undefined,
      "RBS_CLUSTER_SECRET has no effect with RBS_ROLE=all, the default: set RBS_ROLE to front or worker, or remove the secret",
    ],
    [
      isWorker && url === undefined,
      "RBS_ROLE=worker needs RBS_WORKER_URL, the URL at which front-ends reach this worker",
    ],
    [!isWorker && url !== undefined, `RBS_WORKER_URL ${withoutEffect}`],
    [!isWorker && publicUrl !== undefined, `RBS_WORKER_PUBLIC_URL ${withoutEffect}`],
  ];
  return [
    ...rules.filter(([isBroken]) => isBroken).map(([, message]) => message),
    ...findCertificateFaults(files, isAlone, url),
  ];
}

const CERTIFICATE_FILES = ["RBS_CLUSTER_CA_FILE", "RBS_CLUSTER_CERT_FILE", "RBS_CLUSTER_KEY_FILE"] as const;

type CertificateSettings = Pick<Settings, (typeof CERTIFICATE_FILES)[number]>;

function findCertificateFaults(files: CertificateSettings, isAlone: boolean, url: URL | undefined): string[] {
  const { given = [], missing = [] } = Object.groupBy(CERTIFICATE_FILES, (name) =>
    files[name] === undefined ? "missing" : "given",
  );
  if (given.length === 0) return [];
  if (isAlone)
    return [
      `${given.join(" and ")} can only be used with RBS_ROLE=front or RBS_ROLE=worker: set RBS_ROLE, or remove these settings`,
    ];
  return [
    ...(missing.length > 0
      ? [`TLS between servers needs ${missing.join(" and ")} in addition to ${given.join(" and ")}`]
      : []),
    ...(url?.protocol === "http:"
      ? [`RBS_WORKER_URL must begin with https://, because ${given[0]} is set, but it is "${url.href}"`]
      : []),
  ];
}

/** The settings that each role ignores, and the servers that use them. */
const MISPLACED = {
  // Front-ends also use the launch timeout, so it isn't listed here.
  front: {
    pattern:
      /^RBS_(CAPACITY|WARM|SPARE_SANDBOXES|LAUNCHES|BROWSER_\w+|EGRESS(_\w+)?|PROXIES|ISOLATION|WORK_DIR|DRAIN_S)$/,
    here: "front-end",
    readers: "workers",
  },
  worker: {
    pattern: /^(ANTHROPIC_\w+|RBS_(AI_\w+|SIGNUP|RATE|FIRST_ACCOUNT_\w+))$/,
    here: "worker",
    readers: "front-ends",
  },
} as const;

/**
 * Finds settings that have no effect in a role.
 * @param given The settings that the operator has set.
 * @returns A sentence per such setting.
 */
export function findMisplaced(given: Readonly<Record<string, string>>): string[] {
  const { RBS_ROLE: role } = given;
  if (role !== "front" && role !== "worker") return [];
  const { pattern, here, readers } = MISPLACED[role];
  return Object.keys(given)
    .filter((name) => pattern.test(name))
    .map((name) => `${name} has no effect on a ${here}: remove it here, and set it on the ${readers}`);
}

export function toCluster({
  RBS_ROLE: role,
  RBS_CLUSTER_SECRET: secrets,
  RBS_WORKER_URL: url,
  RBS_WORKER_PUBLIC_URL: publicUrl,
  ...files
}: Settings): Cluster | undefined {
  if (secrets === undefined || role === "all") return undefined;
  const certificates = toCertificateFiles(files);
  if (role === "front") return { role, secrets, certificates };
  return url && { role, url, publicUrl, secrets, certificates };
}

function toCertificateFiles({
  RBS_CLUSTER_CA_FILE: ca,
  RBS_CLUSTER_CERT_FILE: cert,
  RBS_CLUSTER_KEY_FILE: key,
}: CertificateSettings): CertificateFiles | undefined {
  if (ca === undefined || cert === undefined || key === undefined) return undefined;
  return { ca: resolve(ca), cert: resolve(cert), key: resolve(key) };
}
