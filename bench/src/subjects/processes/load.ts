import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Child } from "./child.ts";

const CONNECTIONS = 50;
/** How often autocannon checks for the last response, which limits its precision. The default is one second. */
const SAMPLE_MS = 10;
const BARE_ROUTE = fileURLToPath(new URL("bare-route.ts", import.meta.url));
const AUTOCANNON = fileURLToPath(import.meta.resolve("autocannon"));

/** A bare Hono route in its own process. */
export type BareRoute = AsyncDisposable & { readonly url: URL; readonly pid: number };

/**
 * @param folder A new folder for this process only.
 * @param database A server's PostgreSQL database. The route sends this database one query per request.
 */
export async function startBareRoute(
  folder: string,
  database?: { readonly url: string; readonly connections: number },
): Promise<BareRoute> {
  await mkdir(folder);
  const child = await Child.start({
    command: process.execPath,
    arguments: [BARE_ROUTE, ...(database === undefined ? [] : [database.url, `${database.connections}`])],
    log: join(folder, "log"),
  });
  const [, url = ""] = await child.says(/^Ready on (\S+)$/m);
  return {
    url: new URL("/api/v1/Browser/Get", url),
    pid: child.pid,
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}

/** The load to generate: a number of requests, or a duration. */
type Load = { readonly requests: number } | { readonly seconds: number };

/**
 * Requests a URL over 50 connections, from a separate process.
 * @returns Responses per second.
 * @throws {Error} If a request fails.
 */
export async function measureRate(url: URL, load: Load, headers: readonly string[], log: string): Promise<number> {
  await using child = await Child.start({
    command: process.execPath,
    arguments: [
      AUTOCANNON,
      ...["--json", "--no-progress", "--connections", `${CONNECTIONS}`],
      ...("requests" in load ? ["--amount", `${load.requests}`] : ["--duration", `${load.seconds}`]),
      ...["-L", `${SAMPLE_MS}`],
      ...headers.flatMap((header) => ["--headers", header]),
      url.href,
    ],
    log,
  });
  const result = JSON.parse(await child.output()) as Record<
    "errors" | "timeouts" | "non2xx" | "2xx" | "duration",
    number
  >;
  const isComplete = !("requests" in load) || result["2xx"] === load.requests;
  if (result.errors + result.timeouts + result.non2xx > 0 || !isComplete) {
    throw new Error(`${url.pathname} failed under load: ${JSON.stringify(result)}`);
  }
  return result["2xx"] / result.duration;
}
