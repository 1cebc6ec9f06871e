import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { mkdtempDisposable, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Contract } from "../../openapi/scripts/contract.ts";
import { newTypedQueries } from "./typed-queries.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const CONTRACT = new URL("../../openapi/generated/openapi.json", import.meta.url);

/**
 * Returns the contract for Prism, without Open's 422 response. If an operation has a 422 response, Prism returns it for
 * invalid requests instead of 400, and the mock would tell clients that they reused an Idempotency-Key.
 */
export function forMock(contract: Contract): Contract {
  const paths = Object.entries(contract.paths).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, operation]) => {
        if (operation.operationId !== "openBrowser") return [method, operation];
        const { 422: _unused, ...responses } = operation.responses;
        return [method, { ...operation, responses }];
      }),
    ),
  ]);
  return { ...contract, paths: Object.fromEntries(paths) };
}

/**
 * Runs Prism with the contract until it exits or this process receives a signal.
 * @param say Receives each message for the user.
 * @returns The exit code.
 * @throws {Error} With Prism's output if it can't start or exits unexpectedly.
 */
export async function runPrism(
  { host, port }: { readonly host: string; readonly port: string },
  say: (line: string) => void,
): Promise<number> {
  await using folder = await mkdtempDisposable(join(tmpdir(), "mock-"));
  const file = join(folder.path, "openapi.json");
  await writeFile(file, JSON.stringify(forMock(JSON.parse(await readFile(CONTRACT, "utf8")) as Contract)));
  const prism = ["node_modules/.bin/prism", "mock", "--host", "127.0.0.1", "--port", "0", file];
  // Use this process's Node, because Prism doesn't support every version.
  const child = spawn(process.execPath, prism, { cwd: root, stdio: ["ignore", "pipe", "pipe"], env: toPlain() });
  let isAsked = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      isAsked = true;
      child.kill(signal);
    });
  }
  createInterface({ input: child.stdout }).on("line", (text) => {
    const line = toLine(text);
    const [, ready] = /^The mock answers on (\S+)$/.exec(line ?? "") ?? [];
    if (ready !== undefined) listen(new URL(ready));
    else if (line !== undefined) say(line);
  });
  let complaint = "";
  let front: Server | undefined;
  const listen = (url: URL): void => {
    front = newTypedQueries(url).once("error", (error) => {
      complaint = error.message;
      child.kill();
    });
    front.listen(Number(port), host, function (this: Server) {
      const { port: bound } = this.address() as AddressInfo;
      say(`The mock answers on http://${host.includes(":") ? `[${host}]` : host}:${bound}`);
    });
  };
  createInterface({ input: child.stderr }).on("line", (text) => {
    // The error is the last line, after Prism's usage text.
    if (text !== "") complaint = text;
  });
  const [code] = (await once(child, "close")) as [number | null];
  front?.close();
  front?.closeAllConnections();
  if (isAsked) return 0;
  throw new Error(`The mock exited${code === null ? "" : ` with ${code}`}: ${complaint}`);
}

/** Disables colours, because `toLine` parses the output. */
function toPlain(): NodeJS.ProcessEnv {
  const { FORCE_COLOR: _, ...environment } = process.env;
  return { ...environment, NO_COLOR: "1" };
}

const STAMPED = /^\[[^\]]*\] › +\[[^\]]+\] (.*)$/;

/**
 * Converts a line of Prism's output to a message for the user: Prism is ready, or a request is invalid.
 * @returns Undefined for routine log lines.
 */
export function toLine(text: string): string | undefined {
  const [, rest] = STAMPED.exec(text) ?? [];
  // Show lines in an unknown format unchanged.
  if (rest === undefined) return text === "" ? undefined : text;
  const [, url] = /Prism is listening on (\S+)/.exec(rest) ?? [];
  if (url !== undefined) return `The mock answers on ${url}`;
  // Ignore violations in responses, which concern headers that Prism made up.
  const [, wrong] = /Violation: request\S* (.*)$/.exec(rest) ?? [];
  if (wrong !== undefined) return `A request doesn't match the contract: ${wrong}`;
  const [, method, path, reason] = /^(\w+) (\S+) .*Request terminated with error: \S+: (.*)$/.exec(rest) ?? [];
  return method === undefined ? undefined : `${method.toUpperCase()} ${path}: ${reason}`;
}
