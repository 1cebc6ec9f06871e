import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { operations, type OperationId } from "@remote-browser/contract/operations";
import type { WireOptions } from "../../../server/src/domain/browser/open-options.ts";
import { DevtoolsClient } from "../devtools/client.ts";
import { Child } from "./child.ts";

const ENTRIES = {
  sources: fileURLToPath(new URL("../../../server/src/main.ts", import.meta.url)),
  compiled: fileURLToPath(new URL("../../../server/dist/main.js", import.meta.url)),
};

/** Longer than the whole bench: no browser closes while it is measured. */
const KEEP_OPEN_S = 900;

export type ServerOptions = {
  readonly entry?: keyof typeof ENTRIES;
  readonly isolation?: "jail" | "none";
  /** Browsers of the default options that stand ready; by default none, so that what is measured starts cold. */
  readonly warm?: number;
  /** `any` for browsers that visit a page of the bench. */
  readonly egress?: "public" | "any";
  /** Options for Node itself; by default those of `npm start`. */
  readonly nodeOptions?: readonly string[];
};

/** `npm run build`: what was compiled some time ago is not what is measured. */
export async function compileServer(): Promise<void> {
  await promisify(execFile)(process.execPath, [fileURLToPath(new URL("../../../scripts/build.ts", import.meta.url))]);
}

/** What a first start says. */
const WELCOME =
  /^Account: +(?<email>\S+)[\s\S]*^Password: +(?<password>\S+)[\s\S]*^Token: +(?<token>\S+)[\s\S]*^(?<state>Ready|Listening) on (?<url>\S+)$/m;

/** Between two looks at how many browsers stand ready. */
const LOOK_MS = 50;
/** For as many as a row has; some start at the same time as others. */
const WARM_TIMEOUT_MS = 60_000;
/** A browser that has just come up still works for a moment, and most stand ready for longer than that. */
const REST_MS = 1000;

const COMPILE_CACHE = fileURLToPath(new URL("../../../node_modules/.cache/compiled", import.meta.url));

/** As `npm start` sets them. */
const NODE_OPTIONS = ["--max-semi-space-size=4"];

/** The service as an operator starts it, in a process and with books of its own. */
export class Server implements AsyncDisposable {
  readonly url: URL;
  readonly token: string;
  /** The first account, as its owner signs in on the pages. */
  readonly owner: { readonly email: string; readonly password: string };
  /** The database of its books. */
  readonly database: string;
  /** Where open browsers keep their files, each in a folder of its own. */
  readonly cells: string;
  readonly #child: Child;

  private constructor(child: Child, folder: string, said: Readonly<Record<string, string | undefined>>) {
    const { email = "", password = "", token = "", url = "" } = said;
    this.#child = child;
    this.cells = join(folder, "work", "sandboxes");
    this.database = join(folder, "data", "service.sqlite");
    this.url = new URL(url);
    this.token = token;
    this.owner = { email, password };
  }

  /** Resolves when it says that it is ready. @param folder Made for this server alone. */
  static async start(
    folder: string,
    {
      entry = "sources",
      isolation = "jail",
      warm = 0,
      egress = "public",
      nodeOptions = NODE_OPTIONS,
    }: ServerOptions = {},
  ): Promise<Server> {
    await mkdir(folder, { mode: 0o711 });
    const child = await Child.start({
      command: process.execPath,
      arguments: [...nodeOptions, ENTRIES[entry]],
      environment: {
        RBS_PORT: "0",
        RBS_DATA_DIR: join(folder, "data"),
        RBS_WORK_DIR: join(folder, "work"),
        RBS_ISOLATION: isolation,
        RBS_WARM: String(warm),
        RBS_EGRESS: egress,
        // As `npm start` sets it.
        ...(entry === "sources" ? { NODE_COMPILE_CACHE: COMPILE_CACHE } : {}),
      },
      log: join(folder, "log"),
    });
    try {
      const said = await child.says(WELCOME);
      if (said.groups?.["state"] !== "Ready") throw new Error(`The server opens no browsers: ${said[0]}`);
      return new Server(child, folder, said.groups);
    } catch (error) {
      await child[Symbol.asyncDispose]();
      throw error;
    }
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** @returns The address. */
  async open(options: WireOptions): Promise<URL> {
    const { address } = await this.#call("openBrowser", { KeepOpen: KEEP_OPEN_S, ...options });
    return new URL(String(address));
  }

  async close(address: URL): Promise<void> {
    await this.#call("closeBrowser", { address: address.href });
  }

  /** Starts a browser's desktop. @returns Where viewers of its screen connect, and with which password. */
  async startDesktop(address: URL): Promise<{ readonly rfbUrl: string; readonly password: string }> {
    const { rfbUrl, password } = await this.#call("startRemoteDesktop", { address: address.href });
    return { rfbUrl: String(rfbUrl), password: String(password) };
  }

  async stopDesktop(address: URL): Promise<void> {
    await this.#call("stopRemoteDesktop", { address: address.href });
  }

  /**
   * Waits until so many browsers stand ready and have come to rest. The metrics say how many; the readiness probe would
   * start a browser of its own.
   */
  async untilWarm(count: number): Promise<void> {
    const signal = AbortSignal.timeout(WARM_TIMEOUT_MS);
    const look = async (): Promise<number> => {
      const metrics = await (await fetch(new URL("/metrics", this.url), { signal })).text();
      return Number(/^rbs_browsers_warm (\d+)$/m.exec(metrics)?.[1]);
    };
    while ((await look()) !== count) await wait(LOOK_MS, undefined, { signal });
    await wait(REST_MS);
  }

  connect(address: URL): Promise<DevtoolsClient> {
    return DevtoolsClient.connect(
      { host: address.hostname, port: Number(address.port) },
      address.pathname,
      address.host,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#child[Symbol.asyncDispose]();
  }

  async #call(id: OperationId, body: object): Promise<Readonly<Record<string, unknown>>> {
    const { method, path } = operations[id];
    const answer = await fetch(new URL(path, this.url), {
      method,
      headers: { authorization: `Bearer ${this.token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const said = (await answer.json()) as Readonly<Record<string, unknown>>;
    if (!answer.ok) throw new Error(`${id} was refused: ${JSON.stringify(said)}`);
    return said;
  }
}
