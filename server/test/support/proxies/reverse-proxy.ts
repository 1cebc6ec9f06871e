import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { CERTIFICATE, KEY } from "../../../../clients/tunnel/test/certificate.fixtures.ts";
import type { ClusterKeys } from "../../../src/ports/cluster/cluster-certificates.ts";
import { freePort } from "../machine/free-port.ts";
import { descendants, kill, listProcesses } from "../machine/processes.ts";
import { runProgram } from "../machine/run-program.ts";
import { REPOSITORY } from "../machine/run-script.ts";
import { until } from "../until.ts";

/** A reverse proxy for a server on a port, configured from a sample in `deploy`. Disposing stops the proxy. */
export type ReverseProxy = AsyncDisposable & {
  /** The proxy's URL, on localhost. */
  readonly url: string;
  /** Reloads the configuration, and waits until new connections use it. */
  reload(): Promise<void>;
  /** Returns the proxy's whole log. */
  readLog(): string;
};

export type ReverseProxyName = "nginx" | "nginx in front of a cluster" | "HAProxy" | "Caddy";

type Place = {
  readonly folder: string;
  readonly port: number;
  readonly upstream: number;
  /** The port of a second front-end. */
  readonly other: number;
  readonly spare: number;
  /**
   * The certificate that the proxy sends to servers, and the authorities that it trusts; undefined if it uses neither.
   */
  readonly keys: ClusterKeys | undefined;
};

type Recipe = {
  /** The Debian packages to download. */
  readonly packages: readonly string[];
  readonly program: string;
  /** The configuration's path in `deploy`. */
  readonly sample: string;
  /** Whether the proxy serves plain http. */
  readonly isInClear?: true;
  /** Replacements in the sample: the test's own addresses and certificate. */
  readonly replaced: (place: Place) => Readonly<Record<string, string>>;
  /** Wraps the sample in the rest of the configuration. */
  readonly wrap: (sample: string, place: Place) => string;
  readonly args: (file: string) => readonly string[];
  /** How to reload the proxy: a signal, or a command's arguments. */
  readonly reload: NodeJS.Signals | ((file: string, place: Place) => readonly string[]);
};

const PACKAGES = join(REPOSITORY, "node_modules/.cache/debian-packages");
const LIBRARIES = `usr/lib/${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu`;
const DOWNLOAD_MS = 300_000;

const toPem = ({ folder }: Place): string => join(folder, "localhost.pem");

/** Returns replacements that make nginx log to the test's folder. */
const toLogs = ({ folder }: Place): Record<string, string> => ({
  "/var/log/nginx/access.log": `${folder}/access.log`,
  "/var/log/nginx/error.log": `${folder}/error.log`,
});

const NGINX = {
  packages: ["nginx"],
  program: "usr/sbin/nginx",
  wrap: (sample, { folder }) =>
    `user root; daemon off; pid ${folder}/pid; error_log stderr; events {}
      http { ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map((name) => `${name}_temp_path ${folder}/${name};`)
        .join(" ")}
      ${sample} }`,
  args: (file) => ["-c", file],
  reload: "SIGHUP",
} satisfies Partial<Recipe>;

const RECIPES: Readonly<Record<ReverseProxyName, Recipe>> = {
  nginx: {
    ...NGINX,
    sample: "proxies/nginx.conf",
    replaced: (place) => ({
      "listen 443": `listen 127.0.0.1:${place.port}`,
      "browsers.example;": "localhost;",
      ...toLogs(place),
      "/etc/ssl/certs/browsers.example.pem": toPem(place),
      "/etc/ssl/private/browsers.example.key": toPem(place),
      "127.0.0.1:8080": `127.0.0.1:${place.upstream}`,
    }),
  },
  "nginx in front of a cluster": {
    ...NGINX,
    sample: "cluster/nginx.conf",
    isInClear: true,
    replaced: (place) => ({
      "listen 80;": `listen 127.0.0.1:${place.port};`,
      ...toLogs(place),
      "front-1:8080": `127.0.0.1:${place.upstream}`,
      "front-2:8080": `127.0.0.1:${place.other}`,
      ...(place.keys && {
        "#proxy_ssl_certificate /etc/nginx/nginx.crt": `proxy_ssl_certificate ${place.keys.cert}`,
        "#proxy_ssl_certificate_key /etc/nginx/nginx.key": `proxy_ssl_certificate_key ${place.keys.key}`,
        "#proxy_ssl_trusted_certificate /etc/nginx/ca.crt": `proxy_ssl_trusted_certificate ${place.keys.ca}`,
        "#proxy_ssl_name": "proxy_ssl_name",
        "#proxy_ssl_verify": "proxy_ssl_verify",
      }),
    }),
  },
  HAProxy: {
    packages: ["haproxy", "liblua5.3-0", "libopentracing-c-wrapper0", "libopentracing1"],
    program: "usr/sbin/haproxy",
    sample: "proxies/haproxy.cfg",
    replaced: (place) => ({
      "bind :443": `bind 127.0.0.1:${place.port}`,
      "/etc/haproxy/browsers.example.pem": toPem(place),
      "127.0.0.1:8080": `127.0.0.1:${place.upstream}`,
    }),
    wrap: (sample) => sample,
    args: (file) => ["-W", "-f", file],
    reload: "SIGUSR2",
  },
  Caddy: {
    packages: ["caddy"],
    program: "usr/bin/caddy",
    sample: "proxies/Caddyfile",
    replaced: (place) => ({
      "\n{\n": `\n{\nadmin 127.0.0.1:${place.spare}\nauto_https disable_redirects\n`,
      "{$DOMAIN:browsers.example} {": `https://localhost:${place.port} {\nbind 127.0.0.1\ntls ${toPem(place)} ${toPem(place)}`,
      "127.0.0.1:8080": `127.0.0.1:${place.upstream}`,
    }),
    wrap: (sample) => sample,
    args: (file) => ["run", "--adapter", "caddyfile", "--config", file],
    reload: (file, { spare }) => [
      ...["reload", "--force", "--address", `127.0.0.1:${spare}`],
      ...["--adapter", "caddyfile", "--config", file],
    ],
  },
};

type Changes = {
  /** The proxy's files for TLS connections to servers. */
  readonly keys?: ClusterKeys;
  /** Additional replacements in the sample. */
  readonly replaced?: Readonly<Record<string, string>>;
};

/** @param upstream The server's port on this machine. @param other A second front-end's port. */
export async function openReverseProxy(
  name: ReverseProxyName,
  port: number,
  upstream: number,
  other = upstream,
  { keys, replaced = {} }: Changes = {},
): Promise<ReverseProxy> {
  const recipe = RECIPES[name];
  const packages = await unpack(recipe.packages);
  const folder = mkdtempSync(join(tmpdir(), "reverse-proxy-"));
  const place = { folder, port, upstream, other, spare: await freePort(), keys };
  writeFileSync(toPem(place), `${CERTIFICATE}${KEY}`);
  const file = join(folder, basename(recipe.sample));
  writeFileSync(file, configure(recipe, place, replaced));
  const env = { PATH: "/usr/bin:/bin", HOME: folder, LD_LIBRARY_PATH: join(packages, LIBRARIES) };
  const program = join(packages, recipe.program);
  const child = spawn(program, recipe.args(file), { env, stdio: ["ignore", "pipe", "pipe"] });
  let log = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (log += text));
  const ended = once(child, "exit");
  const url = `${recipe.isInClear ? "http" : "https"}://localhost:${port}`;
  const isReady = (): Promise<boolean> =>
    fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  const end = async (): Promise<void> => {
    const all = descendants(listProcesses(), child.pid ?? 0);
    child.kill("SIGKILL");
    all.forEach((one) => kill(one));
    await ended;
    rmSync(folder, { recursive: true });
  };
  try {
    await until(isReady, Boolean);
  } catch (error) {
    await end();
    throw new Error(`${name} did not start: ${log}`, { cause: error });
  }
  return {
    url,
    async reload() {
      if (typeof recipe.reload === "string") await replaceWorkers(child, recipe.reload);
      else await runProgram(program, recipe.reload(file, place), env);
      await until(isReady, Boolean);
    },
    readLog() {
      const files = ["access.log", "error.log"].map((own) => join(folder, own)).filter((path) => existsSync(path));
      return log + files.map((path) => readFileSync(path, "utf8")).join("");
    },
    [Symbol.asyncDispose]: end,
  };
}

/**
 * Downloads and unpacks packages without installing them, because installation would start some of their programs.
 * @returns The folder.
 */
async function unpack(names: readonly string[]): Promise<string> {
  const folder = join(PACKAGES, names.join("+"));
  if (existsSync(folder)) return folder;
  mkdirSync(PACKAGES, { recursive: true });
  const work = mkdtempSync(join(PACKAGES, "work-"));
  try {
    await runProgram("sh", ["-c", `cd "$1" && shift && apt-get download "$@"`, "sh", work, ...names], {}, DOWNLOAD_MS);
    for (const name of readdirSync(work))
      await runProgram("dpkg-deb", ["--extract", join(work, name), join(work, "files")]);
    renameSync(join(work, "files"), folder);
    return folder;
  } finally {
    rmSync(work, { recursive: true });
  }
}

function configure({ sample, replaced, wrap }: Recipe, place: Place, more: Changes["replaced"]): string {
  let text = readFileSync(join(REPOSITORY, "deploy", sample), "utf8");
  for (const [from, to] of Object.entries({ ...replaced(place), ...more })) {
    if (!text.includes(from)) throw new Error(`deploy/${sample} no longer contains ${from}.`);
    text = text.replace(from, to);
  }
  return wrap(text, place);
}

/** Sends a signal to the proxy, and waits until it has started a new worker. */
async function replaceWorkers({ pid = 0 }: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const readWorkers = (): number[] => descendants(listProcesses(), pid).map((worker) => worker.pid);
  const before = readWorkers();
  process.kill(pid, signal);
  await until(readWorkers, (workers) => workers.some((worker) => !before.includes(worker)));
}
