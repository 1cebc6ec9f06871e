import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { onAnswer } from "../proof/faults/alter.ts";
import { type FaultyServer, startFaultyServer } from "../proof/faulty-server.ts";
import type { RunReport } from "../src/reports/report.ts";
import { type Ended, runCommand as run } from "./support/run-command.ts";
import { variant } from "../../server/test/support/variants.ts";

/** A cache of compiled modules, which halves the time that the command needs to start. */
const ENVIRONMENT = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL("../../node_modules/.cache/compiled", import.meta.url)),
};

let server: FaultyServer;
let folder: string;

beforeAll(async () => {
  server = await startFaultyServer();
  folder = await mkdtemp(join(tmpdir(), "rbs-command-"));
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

function runCommand(args: readonly string[], options: Parameters<typeof run>[1] = {}): Promise<Ended> {
  return run(args, { env: ENVIRONMENT, ...options });
}

function on(target: Pick<FaultyServer, "url" | "token">, ...args: readonly string[]): string[] {
  return ["--base-url", target.url.href, "--token", target.token, ...args];
}

test("a run of selected rules that pass is incomplete unless that is enough", async () => {
  const json = join(folder, "report.json");
  const { code, stdout } = await runCommand(
    on(server, "--rule", "RBS-CLOSE-02", "--rule", "RBS-ANSWER", "--json", json),
  );
  expect(code).toBe(3);
  expect(stdout).toMatch(/INCOMPLETE: .* add --partial/);
  const report = JSON.parse(await readFile(json, "utf8")) as RunReport;
  expect(report).toMatchObject({
    verdict: "incomplete",
    exitCode: 3,
    counts: { fail: 0, inconclusive: 0 },
    leftBehind: [],
  });
  expect(report.opens.used).toBeLessThanOrEqual(report.opens.planned);
  expect(JSON.stringify(report)).not.toContain(server.token);
});

variant("with --partial, selected rules that pass are a success", async () => {
  const { code, stdout } = await runCommand(on(server, "--rule", "RBS-CLOSE-02", "--partial"));
  expect(code).toBe(0);
  expect(stdout).toContain("PASSED (DEPLOY): 1 of 1 rule passed.");
});

/** A server whose Close request for an unknown browser succeeds. */
function startForgiving(): Promise<FaultyServer> {
  return startFaultyServer(
    onAnswer("closeBrowser", ({ status, body }) =>
      status === 404 ? { status: 200, body: { status: 200 } } : { status, body },
    ),
  );
}

test("a failure shows the rule, the expected and actual results, and a curl command without the token", async () => {
  await using faulty = await startForgiving();
  const { code, stdout } = await runCommand(on(faulty, "--rule", "RBS-CLOSE-02"));
  expect(code).toBe(1);
  for (const word of ["RBS-CLOSE-02", "404 BrowserNotFound", "curl", "$TOKEN"]) expect(stdout).toContain(word);
  expect(stdout).not.toContain(faulty.token);
});

variant("a known failure is excused, and the run shows why", async () => {
  await using faulty = await startForgiving();
  const known = join(folder, "known.json");
  await writeFile(known, JSON.stringify({ "RBS-CLOSE-02": "being mended" }));
  const excused = await runCommand(on(faulty, "--rule", "RBS-CLOSE-02", "--expected-failures", known, "--partial"));
  expect(excused.code).toBe(0);
  expect(excused.stdout).toContain("being mended");
});

variant.each<[string, (args: string[]) => string[], string]>([
  ["a wrong token", ([url = "", at = ""]) => [url, at, "--token", "wrong"], "does not accept --token:"],
  [
    "an unreachable server",
    (args) => ["--base-url", "http://127.0.0.1:44", ...args.slice(2)],
    "The server can't be reached",
  ],
  ["a URL with the contract's path", ([url = "", at = ""]) => [url, `${at}api/v1`], "omit /api/v1"],
  ["a rule that does not exist", (args) => [...args, "--rule", "RBS-NONE-01"], "RBS-NONE-01"],
  ["a missing file", (args) => [...args, "--compare", "/nowhere.json"], "/nowhere.json"],
])("with %s, the run is inconclusive", async (_, change, expected) => {
  const { code, stdout, stderr } = await runCommand(change(on(server, "--rule", "RBS-CLOSE-02")));
  expect(code).toBe(2);
  expect(stdout + stderr).toContain(expected);
  expect(stdout + stderr).not.toContain(server.token);
});

variant("with an account that can't open browsers, the run is inconclusive", async () => {
  const { url, tokens } = server;
  const { code, stderr } = await runCommand(on({ url, token: tokens["no-units"] }, "--rule", "RBS-CLOSE-02"));
  expect(code).toBe(2);
  expect(stderr).toMatch(/^The account can't open a browser: Open returned 403 NoUnits\. [^\n]*\n$/);
});

variant("a wrong token for a special account is reported with its option name", async () => {
  const { code, stderr } = await runCommand(on(server, "--rule", "RBS-CLOSE-02", "--token-no-units", "mistyped"));
  expect(code).toBe(2);
  expect(stderr).toContain("does not accept --token-no-units:");
});

variant("a run on a server whose Get returns no list still writes a report", async () => {
  await using faulty = await startFaultyServer(onAnswer("getBrowsers", () => ({ status: 200, body: {} })));
  const { code, stdout, stderr } = await runCommand(on(faulty, "--rule", "RBS-CLOSE-02", "--partial"));
  expect(code).toBe(0);
  expect(stdout).toContain("The list could not be read after the run");
  expect(stderr).not.toContain("The suite itself failed");
});

test("a dry run shows the number of browsers and sends no request", async () => {
  const { code, stdout } = await runCommand(["--dry-run", "--profile", "full", "--rule", "RBS-CLOSE"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/opens up to \d+ browsers/);
  expect(stdout).toContain("RBS-CLOSE-02");
});

variant("an interrupted run leaves no browser open", async () => {
  let isInterrupted = false;
  const { code, stderr } = await runCommand(
    on(server, "--profile", "full", "--rule", "RBS-IDLE", "--rule", "RBS-CLOSE"),
    {
      onProgress(text, kill) {
        if (isInterrupted || !text.includes("RBS-CLOSE")) return;
        isInterrupted = true;
        kill("SIGINT");
      },
    },
  );
  expect(stderr).toContain("Interrupted");
  expect(code).toBe(2);
  const answer = await fetch(new URL("/api/v1/Browser/Get", server.url), {
    headers: { Authorization: `Bearer ${server.token}` },
  });
  expect(await answer.json()).toEqual({ sessions: [] });
});
