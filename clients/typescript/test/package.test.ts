import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { type Metafile, build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "client-built-"));
  execFileSync(process.execPath, [join(ROOT, "scripts/packaging/npm.ts"), "clients/typescript", folder]);
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Bundles the package into one script for web browsers. */
async function bundle(): Promise<{ code: string; metafile: Metafile }> {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(folder, "index.js")],
    nodePaths: [join(ROOT, "node_modules")],
    bundle: true,
    platform: "browser",
    format: "iife",
    globalName: "client",
    write: false,
    metafile: true,
    logLevel: "silent",
  });
  return { code: outputFiles[0]?.text ?? "", metafile };
}

test("the package doesn't refer to the workspace, and contains no tests", () => {
  const files = globSync("**/*.{js,d.ts}", { cwd: folder });
  expect(files).toContain("generated/errors.d.ts");
  expect(files.filter((file) => file.includes("test"))).toStrictEqual([]);
  for (const file of files) {
    const specifiers = [...readFileSync(join(folder, file), "utf8").matchAll(/(?:from|import\()\s*"([^"]+)"/g)];
    for (const [, specifier = ""] of specifiers) {
      expect(specifier).toMatch(/^(\.{1,2}\/[\w/-]+\.js|openapi-fetch|@standard-schema\/spec|p\w+-core)$/);
    }
    const own = specifiers.flatMap(([, specifier = ""]) =>
      specifier.startsWith(".") ? join(file, "..", specifier) : [],
    );
    expect(own.filter((path) => !files.includes(path))).toStrictEqual([]);
  }
  expect(readFileSync(join(folder, "README.md"), "utf8")).not.toContain("](..");
});

test("the manifest is ready to publish", () => {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<string, unknown>;
  expect(manifest).toMatchObject({ name: "@remote-browser/client", type: "module", engines: { node: ">=20" } });
  expect(Object.keys(manifest)).not.toContain("private");
  expect(Object.keys(manifest)).not.toContain("devDependencies");
  for (const { types, default: code } of Object.values(manifest["exports"] as Record<string, Record<string, string>>)) {
    for (const path of [types, code]) expect(readFileSync(join(folder, path ?? ""), "utf8")).not.toBe("");
  }
  for (const file of ["LICENSE", "README.md"]) expect(readFileSync(join(folder, file), "utf8")).not.toBe("");
});

test("a bundle for web browsers includes no Node modules", async () => {
  const { code, metafile } = await bundle();
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports.map(({ path }) => path));
  expect(imports.filter((path) => path.startsWith("node:"))).toStrictEqual([]);
  expect(code).not.toMatch(/["']node:|require\(/);
});

test("without a `process`, the client uses its arguments and sends no User-Agent", async () => {
  const { code } = await bundle();
  const requests: Request[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    requests.push(request);
    return Promise.resolve(Response.json({ sessions: [] }));
  };
  const {
    AbortController,
    Error,
    Headers,
    Request,
    TextDecoder,
    TypeError,
    URL,
    clearTimeout,
    performance,
    setTimeout,
  } = globalThis;
  const names = {
    AbortController,
    Error,
    Headers,
    Request,
    TextDecoder,
    TypeError,
    URL,
    clearTimeout,
    performance,
    setTimeout,
  };
  const context = createContext({ ...names, FormData, fetch });
  const run = (script: string): unknown => runInContext(script, context);
  run(code);
  expect(() => run("new client.RemoteBrowserClient()")).toThrow(/There is no token/);
  expect(await run(`new client.RemoteBrowserClient({ url: "https://h", token: "t" }).list()`)).toHaveLength(0);
  expect([...(requests[0]?.headers.keys() ?? [])]).toStrictEqual(["authorization"]);
});
