import { execFile } from "node:child_process";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { operations, type OperationId } from "@remote-browser/contract/operations";
import type { WireOptions } from "../../../../server/src/domain/browser/open-options.ts";
import { DevtoolsClient } from "../../devtools/client.ts";
import { descendantsOf, readProgram } from "../../measure/processes.ts";
import { Child } from "./child.ts";

const ENTRIES = {
  sources: fileURLToPath(new URL("../../../../server/src/main.ts", import.meta.url)),
  compiled: fileURLToPath(new URL("../../../../server/dist/main.js", import.meta.url)),
};

export const SERVER_ENTRY = ENTRIES.sources;

/** Longer than any measurement with one browser. */
const KEEP_OPEN_S = 900;

export type ServerOptions = {
  readonly entry?: keyof typeof ENTRIES;
  readonly isolation?: "sandbox" | "none";
  /** The number of warm browsers with default options, or `auto`. Default: 0, for cold starts. */
  readonly warm?: number | "auto";
  /** With `any`, browsers can load the bench's pages. */
  readonly egress?: "public" | "any";
  /** A PostgreSQL database. Default: an SQLite file. */
  readonly databaseUrl?: string;
  /** Starts a front-end, which needs a worker with the same secret. */
  readonly clusterSecret?: string;
};

/** Runs the build, so that the compiled server matches the sources. */
export async function compileServer(): Promise<void> {
  await promisify(execFile)(process.execPath, [
    fileURLToPath(new URL("../../../../scripts/build.ts", import.meta.url)),
  ]);
}

/** The output of a server's first start. */
const STARTED = /token are in (?<file>\S+)\. Save[\s\S]*^(?<state>Ready|Listening) on (?<url>\S+)$/m;

/** Matches the credentials file that a server names in its output when it first starts. */
const WELCOME = /^Account: +(?<email>\S+)[\s\S]*^Password: +(?<password>\S+)[\s\S]*^Token: +(?<token>\S+)/m;

/** How often the number of warm browsers is checked, in ms. */
const POLL_MS = 50;
/** Long enough to start the largest number of warm browsers in any row. */
const WARM_TIMEOUT_MS = 60_000;
/** Time for a newly started browser to become idle, in ms. */
const REST_MS = 1000;

const ACCOUNT_COMMAND = fileURLToPath(new URL("../../../../server/src/cli/account.ts", import.meta.url));
const COMPILE_CACHE = fileURLToPath(new URL("../../../../node_modules/.cache/compiled", import.meta.url));

/** Required with PostgreSQL. */
export const SECRET_KEY = Buffer.alloc(32, 1).toString("base64");

/** The service with an operator's usual settings, in its own process and with its own database. */
export class Server implements AsyncDisposable {
  readonly url: URL;
  readonly token: string;
  /** The first account's credentials on the dashboard. */
  readonly owner: { readonly email: string; readonly password: string };
  /** The path of the server's SQLite database. */
  readonly database: string;
  readonly #child: Child;
  readonly #folder: string;

  private constructor(child: Child, folder: string, said: Readonly<Record<string, string | undefined>>) {
    const { email = "", password = "", token = "", url = "" } = said;
    this.#child = child;
    this.#folder = folder;
    this.database = join(folder, "data", "service.sqlite");
    this.url = new URL(url);
    this.token = token;
    this.owner = { email, password };
  }

  /** Starts a server and waits until it is ready. @param folder A new folder for this server only. */
  static async start(
    folder: string,
    {
      entry = "sources",
      isolation = "sandbox",
      warm = 0,
      egress = "public",
      databaseUrl,
      clusterSecret,
    }: ServerOptions = {},
  ): Promise<Server> {
    await mkdir(folder, { mode: 0o711 });
    const child = await Child.start({
      command: process.execPath,
      // `npm start` also sets this option and enables the compile cache.
      arguments: ["--max-semi-space-size=4", ENTRIES[entry]],
      environment: {
        RBS_PORT: "0",
        RBS_DATA_DIR: join(folder, "data"),
        ...(clusterSecret === undefined
          ? {
              RBS_WORK_DIR: join(folder, "work"),
              RBS_ISOLATION: isolation,
              RBS_WARM: String(warm),
              RBS_EGRESS: egress,
            }
          : { RBS_ROLE: "front", RBS_CLUSTER_SECRET: clusterSecret }),
        ...(databaseUrl === undefined ? {} : { RBS_DATABASE_URL: databaseUrl, RBS_SECRET_KEY: SECRET_KEY }),
        ...(entry === "sources" ? { NODE_COMPILE_CACHE: COMPILE_CACHE } : {}),
      },
      log: join(folder, "log"),
    });
    try {
      const said = await child.says(STARTED);
      const { state, file = "", url } = said.groups ?? {};
      if (state !== "Ready") throw new Error(`The server can't open browsers: ${said[0]}`);
      return new Server(child, folder, { ...WELCOME.exec(await readFile(file, "utf8"))?.groups, url });
    } catch (error) {
      await child[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** The path of the folder that contains one folder per sandbox, in the broker's mount namespace. */
  get sandboxes(): string {
    const broker = descendantsOf(this.pid).find((pid) => readProgram(pid) === "node");
    return `/proc/${broker ?? ""}/root/tmp`;
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** @returns The browser's address. */
  async open(options: WireOptions, headers: Readonly<Record<string, string>> = {}): Promise<URL> {
    const { address } = await this.call("openBrowser", { KeepOpen: KEEP_OPEN_S, ...options }, headers);
    return new URL(String(address));
  }

  /** Creates an account. @param parallel Maximum number of open browsers. @returns The account's token. */
  async createAccount(email: string, parallel: number): Promise<string> {
    const limits = ["--plan", "self-hosted", "--parallel", `${parallel}`];
    const environment = { RBS_DATA_DIR: join(this.#folder, "data"), RBS_WORK_DIR: join(this.#folder, "work") };
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [ACCOUNT_COMMAND, "create", "--email", email, ...limits],
      { env: { ...environment, NODE_COMPILE_CACHE: COMPILE_CACHE } },
    );
    return (JSON.parse(stdout) as { readonly token: string }).token;
  }

  async close(address: URL): Promise<void> {
    await this.call("closeBrowser", { address: address.href });
  }

  /** Starts a browser's desktop. @returns The URL and password for viewers. */
  async startDesktop(address: URL): Promise<{ readonly rfbUrl: string; readonly password: string }> {
    const { rfbUrl, password } = await this.call("startRemoteDesktop", { address: address.href });
    return { rfbUrl: String(rfbUrl), password: String(password) };
  }

  async stopDesktop(address: URL): Promise<void> {
    await this.call("stopRemoteDesktop", { address: address.href });
  }

  /** Waits until this many browsers are warm and idle. Reads metrics, because the readiness probe starts a browser. */
  async untilWarm(count: number): Promise<void> {
    const signal = AbortSignal.timeout(WARM_TIMEOUT_MS);
    while ((await this.readMetric(/^rbs_browsers_warm (\d+)$/gm)) !== count) await wait(POLL_MS, undefined, { signal });
    await wait(REST_MS);
  }

  /** Waits for a period of `REST_MS` in which no browser is starting, so that all warm browsers are running. */
  async untilSettled(): Promise<void> {
    const signal = AbortSignal.timeout(WARM_TIMEOUT_MS);
    for (let quietSince = performance.now(); performance.now() - quietSince < REST_MS;) {
      if ((await this.readMetric(/^rbs_launches_running (\d+)$/gm)) !== 0) quietSince = performance.now();
      await wait(POLL_MS, undefined, { signal });
    }
  }

  /** Reads the metrics. @returns The sum of the numbers in the first capture group of all matches. */
  async readMetric(pattern: RegExp): Promise<number> {
    const metrics = await (await fetch(new URL("/metrics", this.url))).text();
    return Array.from(metrics.matchAll(pattern), ([, value]) => Number(value)).reduce((sum, value) => sum + value, 0);
  }

  connect(address: URL): Promise<DevtoolsClient> {
    const { hostname, port, pathname, host } = address;
    return DevtoolsClient.connect({ host: hostname, port: Number(port) }, pathname, host);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#child[Symbol.asyncDispose]();
  }

  /** Calls an operation. @throws {Error} If the server rejects the call. */
  async call(
    id: OperationId,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Readonly<Record<string, unknown>>> {
    const { method, path } = operations[id];
    const answer = await fetch(new URL(path, this.url), {
      method,
      headers: { authorization: `Bearer ${this.token}`, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answered = (await answer.json()) as Readonly<Record<string, unknown>>;
    if (!answer.ok) throw new Error(`${id} failed: ${JSON.stringify(answered)}`);
    return answered;
  }
}
