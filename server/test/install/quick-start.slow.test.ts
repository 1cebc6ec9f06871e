import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { readBlocks } from "../support/pages/code-blocks.ts";
import { expectNothingHeld } from "../support/browsers/resources.ts";
import { HAS_JAVA, MAVEN_MS } from "../support/machine/java.ts";
import { type Site, TITLE, openSite } from "../support/sites/local-site.ts";
import { signIn } from "../support/pages/page-user.ts";
import { type RealServer, startServer } from "../support/servers/real-server.ts";
import { runProgram } from "../support/machine/run-program.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const PYTHON = join(ROOT, ".venv/bin/python");
/** The page that all programs open. The tests replace this page, because they may run offline. */
const EXAMPLE = "https://example.com";
/** The first compilation of the Go client and chromedp takes a minute. */
const GO_MS = 240_000;

let server: RealServer;
let site: Site;
/** A token created on the tokens page. */
let token: string;
/** The page's code blocks, by id. */
let blocks: ReadonlyMap<string, string>;
/** The working folder, new for each test. */
let folder: string;

beforeAll(async () => {
  [server, site] = await Promise.all([startServer({ settings: { RBS_EGRESS: "any" } }), openSite()]);
  const [, email = ""] = /^Account: +(\S+)/m.exec(server.welcome) ?? [];
  const [, password = ""] = /^Password: +(\S+)/m.exec(server.welcome) ?? [];
  const user = await signIn(server.url, email, password);
  const answer = await user.post("/dashboard/tokens", { name: "quick start" });
  token = /rbs_[\w-]{43}/.exec(answer.text)?.[0] ?? "";
  blocks = readBlocks((await user.get("/dashboard/quick-start")).text);
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "quick-start-"));
});

afterEach(async () => {
  rmSync(folder, { recursive: true });
  // Browsers that a failed test left open would make the next tests fail.
  const left = await server.addresses();
  await Promise.all(left.map((address) => server.post("Close", { address })));
  await expectNothingLeft(left);
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

/** Checks that the programs closed their browsers, and that no log contains the token. */
async function expectNothingLeft(addresses: readonly string[]): Promise<void> {
  expect(addresses).toEqual([]);
  await expectNothingHeld(server);
  expect(token).toMatch(/^rbs_/);
  expect(server.output.stdout + server.output.stderr).not.toContain(token);
}

/** Returns a code block of the page, with `CLONE` replaced by this repository's folder. */
function readBlock(id: string): string {
  const text = blocks.get(id);
  if (text === undefined) throw new Error(`The page has no block ${id}.`);
  return text.replaceAll("CLONE", ROOT.replace(/\/$/, ""));
}

/** Returns a program from the page, changed to open the test's site instead of the example. */
function readProgram(tool: string): string {
  const parts = readBlock(`${tool}-program`).split(EXAMPLE);
  expect(parts).toHaveLength(2);
  return parts.join(site.url);
}

function run(command: string, settings: Readonly<Record<string, string>> = {}, timeoutMs = 50_000): Promise<string> {
  const script = `cd ${folder}\n${command}`;
  return runProgram("/bin/sh", ["-e", "-c", script], { RBS_TOKEN: token, ...settings }, timeoutMs);
}

test("curl opens a browser, starts its desktop, lists the browser, and closes it", async () => {
  const output = await run(["program", "watch", "list", "end"].map((id) => readBlock(`curl-${id}`)).join(""));
  const [opened, desktop, list, closed] = output.split(/(?<=\})\s*(?=\{"s)/).map((one) => JSON.parse(one) as object);
  const address = expect.stringMatching(new RegExp(`^ws://${server.url.host}/devtools/browser/`)) as string;
  expect(opened).toEqual({ status: 200, id: expect.stringMatching(/^br_/), address });
  expect(desktop).toMatchObject({ status: 200, url: expect.stringContaining(`${server.url.href}desktop/`) as string });
  expect(list).toMatchObject({ sessions: [{ label: "quick start", address }] });
  expect(closed).toEqual({ status: 200 });
});

test.each([
  ["puppeteer", "quick-start.mjs"],
  ["playwright", "quick-start.mjs"],
  ["typescript", "quick-start.mts"],
])("%s opens a browser, prints a page's title, and closes it", async (tool, file) => {
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, file), readProgram(tool));
  expect(readBlock(`${tool}-run`)).toBe(`node ${file}\n`);
  expect(await run(`"${process.execPath}" ${file}`)).toBe(`${TITLE}\n`);
});

test.each([["python"], ["selenium"]])("%s opens a browser, prints a page's title, and closes it", async (tool) => {
  // Installing the package puts this command on the PATH.
  const tunnel = join(folder, "remote-browser-tunnel");
  const main = join(ROOT, "clients/tunnel/src/main.ts");
  writeFileSync(tunnel, `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`, { mode: 0o755 });
  writeFileSync(join(folder, "quick_start.py"), readProgram(tool));
  expect(readBlock(`${tool}-run`)).toBe("python quick_start.py\n");
  const PYTHONPATH = join(ROOT, "clients/python/src");
  const settings = {
    PYTHONPATH,
    PATH: `${folder}:${process.env["PATH"]}`,
    SE_OFFLINE: "true",
    SE_AVOID_STATS: "true",
  };
  expect(await run(`${PYTHON} quick_start.py`, settings)).toBe(`${TITLE}\n`);
});

// Debian's Go is too old for go.mod files of newer versions.
const hasGo = spawnSync("go", ["list", "-m"], { cwd: join(ROOT, "clients/go") }).status === 0;
test.skipIf(!hasGo)(
  "the page's Go commands run, and the program opens a browser, prints a page's title, and closes the browser (needs Go 1.25)",
  { timeout: GO_MS },
  async () => {
    const cache = (await run("go env GOMODCACHE")).trim();
    const proxies = (await run("go env GOPROXY")).trim();
    const GOPROXY = existsSync(join(cache, "cache/download")) ? `file://${cache}/cache/download,${proxies}` : proxies;
    await run(readBlock("go-install"), {}, GO_MS);
    writeFileSync(join(folder, "main.go"), readProgram("go"));
    expect(await run(readBlock("go-run"), { GOPROXY, GOSUMDB: "off" }, GO_MS)).toBe(`${TITLE}\n`);
  },
);

test.skipIf(!HAS_JAVA)(
  "java opens a browser, prints a page's title, and closes it (needs javac and mvn)",
  { timeout: MAVEN_MS },
  async () => {
    const client = join(ROOT, "clients/java");
    const maven = `mvn --batch-mode --quiet --file ${client}/pom.xml`;
    const versions = readFileSync(join(client, "pom.xml"), "utf8").matchAll(/<(?:playwright\.)?version>([\d.]+)</g);
    const [own = "", playwright = ""] = Array.from(versions, ([, version]) => version);
    const wanted = [...readBlock("java-project").matchAll(/^      <version>(.*)</gm)].map(([, version]) => version);
    expect(wanted).toEqual([own, playwright]);
    await run(`${maven} compile dependency:build-classpath -Dmdep.outputFile=${folder}/class-path`, {}, MAVEN_MS);
    writeFileSync(join(folder, "QuickStart.java"), readProgram("java"));
    const classPath = `${client}/target/classes:${readFileSync(join(folder, "class-path"), "utf8")}`;
    expect(await run(`java -cp "${classPath}" QuickStart.java`)).toBe(`${TITLE}\n`);
  },
);
