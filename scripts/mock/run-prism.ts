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
import { forMock } from "./for-mock.ts";
import { toLine } from "./prism-line.ts";
import { newTypedQueries } from "./typed-queries.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const CONTRACT = new URL("../../openapi/generated/openapi.json", import.meta.url);

/**
 * Runs Prism on the contract until it exits or this process receives a signal.
 * @param say Called with each line for people.
 * @returns The exit code.
 * @throws {Error} When it can't start or exits unexpectedly, with its output.
 */
export async function runPrism(
  { host, port }: { readonly host: string; readonly port: string },
  say: (line: string) => void,
): Promise<number> {
  await using folder = await mkdtempDisposable(join(tmpdir(), "mock-"));
  const file = join(folder.path, "openapi.json");
  await writeFile(file, JSON.stringify(forMock(JSON.parse(await readFile(CONTRACT, "utf8")) as Contract)));
  const prism = ["node_modules/.bin/prism", "mock", "--host", "127.0.0.1", "--port", "0", file];
  // Use this process's Node, since Prism doesn't run on every version.
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
    // The error comes after Prism's usage text.
    if (text !== "") complaint = text;
  });
  const [code] = (await once(child, "close")) as [number | null];
  front?.close();
  front?.closeAllConnections();
  if (isAsked) return 0;
  throw new Error(`The mock ended${code === null ? "" : ` with ${code}`}: ${complaint}`);
}

/** Turn off colours, because the lines are parsed here. */
function toPlain(): NodeJS.ProcessEnv {
  const { FORCE_COLOR: _, ...environment } = process.env;
  return { ...environment, NO_COLOR: "1" };
}
