import { once } from "node:events";
import { access, chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { env } from "node:process";
import { text } from "node:stream/consumers";
import { onTestFinished, expect, test, vi } from "vitest";
import { NEWEST_VERSION } from "../contract/versions.ts";
import { FUZZ_RULES } from "../rules/random/fuzz.ts";
import type { RuleResult } from "../run/verdict.ts";
import { runSchemathesis } from "./run-schemathesis.ts";

const ADDRESS = "ws://127.0.0.1/devtools/browser/pQ7vK2mXc9RtY4bN8sWzLh3dFj6gTa1e";

test("if the tool crashes, every rule is inconclusive and all browsers are closed", async () => {
  const { url, asked } = await aServer();
  // Imitates a Python environment with Schemathesis: prints its version, opens a browser, starts writing reports and
  // crashes.
  const python = await executable(`case "$*" in *version*) echo 4.32.5; exit;; esac
printf '{"opened":"${ADDRESS}"}\\n{"ope' >> "$RBS_FUZZ_NOTES"
echo '{' > summary.json
echo "no room left for ${ADDRESS}${" and so on".repeat(37)}" >&2
exit 3`);
  const results = await fuzz(url, python);
  expect(new Set(results.map(({ verdict }) => verdict))).toEqual(new Set(["inconclusive"]));
  expect(results[0]).toMatchObject({ opened: 1, reason: expect.stringContaining("no room left") });
  expect(results[0]?.reason).not.toContain(ADDRESS.slice(-8));
  expect(asked).toContain(`POST /api/v1/Browser/Close ${JSON.stringify({ address: ADDRESS })}`);
});

test("an interrupted run stops the tool, closes its browsers and removes its files", async () => {
  const { url, asked } = await aServer();
  const interruption = new AbortController();
  const python = await executable(`case "$*" in *version*) echo 4.32.5; exit;; esac
printf '{"opened":"${ADDRESS}"}\\n' >> "$RBS_FUZZ_NOTES"
pwd > "$0.folder"
exec sleep 60`);
  const running = fuzz(url, python, interruption.signal);
  const folder = await vi.waitUntil(() => readFile(`${python}.folder`, "utf8").catch(() => ""), { timeout: 5000 });
  interruption.abort();
  const results = await running;
  expect(results[0]).toMatchObject({ verdict: "inconclusive", reason: "The run was interrupted.", opened: 1 });
  await expect(access(folder.trim())).rejects.toThrow("ENOENT");
  expect(asked).toContain(`POST /api/v1/Browser/Close ${JSON.stringify({ address: ADDRESS })}`);
});

test("without the tool, every rule is skipped, with installation instructions", async () => {
  const results = await fuzz("http://127.0.0.1:9", "/nowhere/python");
  expect(results.map(({ verdict }) => verdict)).toEqual(FUZZ_RULES.map(() => "skip"));
  expect(results[0]?.reason).toMatch(/\/nowhere\/python does not have Schemathesis: install .* --python/);
});

test("an old version of the tool is rejected", async () => {
  const python = await executable("echo 3.39.1");
  expect((await fuzz("http://127.0.0.1:9", python))[0]).toMatchObject({
    verdict: "skip",
    reason: expect.stringContaining("has 3.39.1"),
  });
});

/** Starts a server that returns the same response to every request. */
async function aServer(): Promise<{ readonly url: string; readonly asked: readonly string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      asked.push(`${request.method} ${request.url} ${body}`);
      response.setHeader("Content-Type", "application/json").end('{"status":200,"sessions":[]}');
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked };
}

function fuzz(baseUrl: string, python: string, interruption?: AbortSignal): Promise<RuleResult[]> {
  const options = {
    ...{
      baseUrl,
      token: "an-unknown-token",
      tokens: {},
      unitsLeft: undefined,
      contract: NEWEST_VERSION,
      labelPrefix: "conformance-1",
      rules: [],
    },
    ...{ profile: "full" as const, seed: 1, rate: undefined, parallel: 2 },
    fuzzer: { how: "local" as const, image: undefined, python, env },
  };
  return runSchemathesis(options, FUZZ_RULES, () => {}, interruption);
}

async function executable(script: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "rbs-fuzz-test-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "python");
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return file;
}
