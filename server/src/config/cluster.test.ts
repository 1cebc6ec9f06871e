import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { ConfigError, readConfig } from "./config.ts";

const folder = mkdtempSync(join(tmpdir(), "rbs-cluster-"));
afterAll(() => rmSync(folder, { recursive: true }));

const [FIRST, SECOND] = ["canary-1".repeat(4), "canary-2".repeat(4)];
const DATABASE = { RBS_DATABASE_URL: "postgres://u:p@db/rbs", RBS_SECRET_KEY: `${"A".repeat(43)}=` };
const FRONT = { ...DATABASE, RBS_ROLE: "front", RBS_CLUSTER_SECRET: FIRST };
const WORKER = { ...DATABASE, RBS_ROLE: "worker", RBS_CLUSTER_SECRET: FIRST, RBS_WORKER_URL: "http://10.0.0.2:8080" };

function faultsOf(environment: Record<string, string>): string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split("\n");
  }
}

test("a server runs alone, as a front-end or as a worker", () => {
  expect(readConfig({}).cluster).toBeUndefined();
  expect(readConfig({ ...DATABASE, RBS_ROLE: "all" }).cluster).toBeUndefined();
  expect(readConfig(FRONT).cluster).toEqual({ role: "front", secrets: [FIRST], certificates: undefined });
  expect(readConfig(WORKER).cluster).toEqual({
    role: "worker",
    url: new URL("http://10.0.0.2:8080"),
    publicUrl: undefined,
    secrets: [FIRST],
    certificates: undefined,
  });
  const { cluster } = readConfig({ ...WORKER, RBS_WORKER_PUBLIC_URL: "https://w1.example/eu" });
  expect(cluster).toEqual({ ...readConfig(WORKER).cluster, publicUrl: new URL("https://w1.example/eu") });
});

const CA = { RBS_CLUSTER_CA_FILE: "/etc/ca.crt" };
const CERTIFICATES = { ...CA, RBS_CLUSTER_CERT_FILE: "/etc/own.crt", RBS_CLUSTER_KEY_FILE: "/etc/own.key" };

test("servers can connect to each other with TLS", () => {
  const certificates = { ca: "/etc/ca.crt", cert: "/etc/own.crt", key: "/etc/own.key" };
  expect(readConfig({ ...FRONT, ...CERTIFICATES })).toMatchObject({ cluster: { certificates } });
  const worker = { ...WORKER, ...CERTIFICATES, RBS_WORKER_URL: "https://10.0.0.2:8080" };
  expect(readConfig(worker)).toMatchObject({ cluster: { certificates } });
  expect(readConfig({ ...FRONT, ...CERTIFICATES, RBS_CLUSTER_KEY_FILE: import.meta.filename }).files).toEqual([
    import.meta.filename,
  ]);
});

test("during a rotation, the secret file contains two secrets, and the server sends the first", () => {
  const file = join(folder, "secrets");
  writeFileSync(file, `${FIRST}\r\n${SECOND}\n`);
  const { RBS_CLUSTER_SECRET: _, ...front } = FRONT;
  expect(readConfig({ ...front, RBS_CLUSTER_SECRET_FILE: file })).toMatchObject({
    cluster: { secrets: [FIRST, SECOND] },
    files: [file],
  });
});

test.each(["canary", `${FIRST} ${SECOND}`, `${FIRST}\n${SECOND}\n${FIRST}x`, `${FIRST}\ncanary`, `${FIRST}ü`])(
  "the secret %j is rejected, and the message doesn't repeat it",
  (secret) => {
    const faults = faultsOf({ ...FRONT, RBS_CLUSTER_SECRET: secret });
    expect(faults).toEqual([
      "RBS_CLUSTER_SECRET must have one or two lines, each with a secret of 32 or more characters and no spaces: openssl rand -hex 32 > cluster.secret",
    ]);
  },
);

test.each<[Record<string, string>, readonly string[]]>([
  [{ RBS_ROLE: "back" }, ['RBS_ROLE must be all, front or worker, not "back"']],
  [
    { RBS_ROLE: "front" },
    [
      "RBS_ROLE=front needs RBS_DATABASE_URL, with the same database on every server in the cluster",
      "RBS_ROLE=front needs RBS_CLUSTER_SECRET_FILE, with the same secret for all servers of the cluster: openssl rand -hex 32 > cluster.secret",
    ],
  ],
  [
    { RBS_ROLE: "worker", RBS_CLUSTER_SECRET: FIRST },
    [
      "RBS_ROLE=worker needs RBS_DATABASE_URL, with the same database on every server in the cluster",
      "RBS_ROLE=worker needs RBS_WORKER_URL, the URL at which front-ends reach this worker",
    ],
  ],
  [
    { RBS_CLUSTER_SECRET: FIRST },
    [
      "RBS_CLUSTER_SECRET has no effect with RBS_ROLE=all, the default: set RBS_ROLE to front or worker, or remove the secret",
    ],
  ],
  [
    { RBS_WORKER_URL: "http://10.0.0.2" },
    ["RBS_WORKER_URL has no effect with RBS_ROLE=all: remove it, or set RBS_ROLE=worker"],
  ],
  [
    { ...WORKER, RBS_ROLE: "front", RBS_WORKER_PUBLIC_URL: "https://w1.example" },
    ["RBS_WORKER_URL", "RBS_WORKER_PUBLIC_URL"].map(
      (name) => `${name} has no effect with RBS_ROLE=front: remove it, or set RBS_ROLE=worker`,
    ),
  ],
  [
    { ...WORKER, RBS_WORKER_URL: "10.0.0.2:8080" },
    ['RBS_WORKER_URL must be an http:// or https:// URL, not "10.0.0.2:8080"'],
  ],
  [
    CA,
    [
      "RBS_CLUSTER_CA_FILE can only be used with RBS_ROLE=front or RBS_ROLE=worker: set RBS_ROLE, or remove these settings",
    ],
  ],
  [
    { ...FRONT, ...CA },
    ["TLS between servers needs RBS_CLUSTER_CERT_FILE and RBS_CLUSTER_KEY_FILE in addition to RBS_CLUSTER_CA_FILE"],
  ],
  [
    { ...WORKER, ...CERTIFICATES },
    ['RBS_WORKER_URL must begin with https://, because RBS_CLUSTER_CA_FILE is set, but it is "http://10.0.0.2:8080/"'],
  ],
])("all conflicts in %o are reported together", (environment, faults) => {
  expect(faultsOf(environment)).toEqual(faults);
});

test.each([
  { RBS_CAPACITY: "4" },
  { RBS_WARM: "auto" },
  { RBS_SPARE_SANDBOXES: "1" },
  { RBS_LAUNCHES: "1" },
  { RBS_BROWSER_MEMORY_MB: "1024" },
  { RBS_BROWSER_DISK: "disk" },
  { RBS_EGRESS: "any" },
  { RBS_EGRESS_DENY: "10.0.0.0/8" },
  { RBS_PROXIES: "http://a.example:80" },
  { RBS_ISOLATION: "none" },
  { RBS_WORK_DIR: "work" },
  { RBS_DRAIN_S: "5" },
])("%o has no effect on a front-end", (setting) => {
  expect(faultsOf({ ...WORKER, ...setting })).toEqual([]);
  expect(faultsOf({ ...FRONT, ...setting })).toEqual([
    `${Object.keys(setting)[0]} has no effect on a front-end: remove it here, and set it on the workers`,
  ]);
});

test.each([
  { ANTHROPIC_API_KEY: "key" },
  { ANTHROPIC_BASE_URL: "https://models.example" },
  { RBS_AI_MODEL: "m" },
  { RBS_SIGNUP: "open" },
  { RBS_RATE: "1/1" },
  { RBS_FIRST_ACCOUNT_EMAIL: "anna@example.com" },
])("%o has no effect on a worker", (setting) => {
  expect(faultsOf({ ...FRONT, ...setting })).toEqual([]);
  expect(faultsOf({ ...WORKER, ...setting })).toEqual([
    `${Object.keys(setting)[0]} has no effect on a worker: remove it here, and set it on the front-ends`,
  ]);
});
