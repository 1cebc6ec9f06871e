import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect } from "vitest";
import type { Play, Scene } from "./scene.ts";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
const CLIENT = join(ROOT, "clients/typescript");

// Directories of the programs installed on the machine, outside this workspace.
const OWN_PATH = "/usr/local/bin:/usr/bin:/bin";

/** Installs the packed package into a new project, and runs the README's snippets in that project. */
export const readme: Play = async (scene) => {
  const folder = mkdtempSync(join(tmpdir(), "client-"));
  try {
    await install(folder);
    const env = toEnvironment(scene);
    for (const [index, snippet] of readSnippets().entries()) {
      writeFileSync(join(folder, `snippet-${index}.js`), snippet);
      writeFileSync(join(folder, `snippet-${index}.ts`), snippet);
    }
    const first = await run(process.execPath, ["snippet-0.js"], { cwd: folder, env });
    expect(first.stdout).toBe("Hello\n");
    await run(process.execPath, ["snippet-1.js"], { cwd: folder, env });
    expect(readdirSync(folder)).toContainEqual(expect.stringMatching(/^screenshot\.(png|jpeg)$/));
    const followed = await run(process.execPath, ["snippet-2.js"], { cwd: folder, env });
    expect(followed.stdout).toMatch(/^It ended \(inactive\) after \d+ units and \d+ bytes\.\nbr_\w+ closed /);
    const query = await run(process.execPath, ["snippet-3.js"], { cwd: folder, env });
    expect(query.stdout).toMatch(/39\.90\n$/);
    await checkTypes(folder);
    await listWithOwnNode(folder, scene);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

async function install(folder: string): Promise<void> {
  const built = join(folder, "built");
  await run(process.execPath, [join(ROOT, "scripts/packaging/npm.ts"), "clients/typescript", built]);
  const { stdout } = await run("npm", ["pack", "--silent", built], { cwd: folder });
  const { devDependencies } = readManifest(join(CLIENT, "package.json"));
  rmSync(built, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const { devDependencies: root } = readManifest(join(ROOT, "package.json"));
  const packages = [
    `./${stdout.trim()}`,
    `puppeteer-core@${devDependencies?.["puppeteer-core"]}`,
    `zod@${devDependencies?.["zod"]}`,
    `@types/node@${root?.["@types/node"]}`,
  ];
  await run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", ...packages], { cwd: folder });
  const { private: isPrivate, exports } = readManifest(
    join(folder, "node_modules/@remote-browser/client/package.json"),
  );
  expect({ isPrivate, paths: Object.keys(exports ?? {}) }).toStrictEqual({
    isPrivate: undefined,
    paths: [".", "./puppeteer", "./playwright"],
  });
}

/**
 * Compiler options for checking the package's own declarations: one program for Node, and one for web browsers without
 * Node's types.
 */
const PROGRAMS: readonly Record<string, unknown>[] = [
  // Puppeteer's types also require the DOM types.
  {
    files: ["snippet-0.ts", "snippet-1.ts", "snippet-2.ts", "snippet-3.ts"],
    compilerOptions: { types: ["node"], lib: ["ESNext", "DOM"] },
  },
  { files: ["web.ts"], compilerOptions: { types: [], lib: ["ES2022", "DOM"] } },
];

/** Type-checks in strict mode with this workspace's TypeScript and the last release of the previous major version. */
async function checkTypes(folder: string): Promise<void> {
  const common = { strict: true, noEmit: true, module: "NodeNext", target: "ES2022", exactOptionalPropertyTypes: true };
  writeFileSync(join(folder, "web.ts"), `export { RemoteBrowserClient } from "@remote-browser/client";\n`);
  writeFileSync(join(folder, "common.json"), JSON.stringify({ compilerOptions: common }));
  for (const from of [import.meta.url, join(ROOT, "openapi/package.json")]) {
    const tsc = join(dirname(createRequire(from).resolve("typescript/package.json")), "bin/tsc");
    for (const program of PROGRAMS) {
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ extends: "./common.json", ...program }));
      const words = await run(process.execPath, [tsc, "-p", "."], { cwd: folder }).then(
        ({ stdout }) => stdout,
        (error: unknown) => (error as { stdout: string }).stdout,
      );
      expect(words).toBe("");
    }
  }
}

/** Lists browsers with the machine's own Node, which may be the oldest version that the package supports. */
async function listWithOwnNode(folder: string, scene: Scene): Promise<void> {
  if (!OWN_PATH.split(":").some((place) => existsSync(join(place, "node")))) return;
  const code = `
    import { RemoteBrowserClient } from "@remote-browser/client";
    const sessions = await new RemoteBrowserClient().list();
    console.log(Array.isArray(sessions));
    const { connectPlaywright } = await import("@remote-browser/client/playwright");
    await connectPlaywright({ address: "ws://h" }).catch(({ message }) => console.log(message));`;
  const env = { ...toEnvironment(scene), PATH: OWN_PATH };
  const { stdout } = await run("/usr/bin/env", ["node", "--input-type=module", "--eval", code], { cwd: folder, env });
  expect(stdout).toBe("true\nplaywright-core is not installed: run `npm install playwright-core`.\n");
}

function toEnvironment({ stage }: Scene): NodeJS.ProcessEnv {
  return { PATH: process.env["PATH"], RBS_URL: stage.url, RBS_TOKEN: stage.token };
}

function readSnippets(): string[] {
  const snippets = readFileSync(join(CLIENT, "README.md"), "utf8").matchAll(/^```ts\n([\s\S]*?)^```$/gm);
  return Array.from(snippets, ([, snippet = ""]) => snippet);
}

function readManifest(path: string): {
  private?: boolean;
  exports?: Record<string, unknown>;
  devDependencies?: Record<string, string>;
} {
  return JSON.parse(readFileSync(path, "utf8")) as ReturnType<typeof readManifest>;
}
