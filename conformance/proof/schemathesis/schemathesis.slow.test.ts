import { env } from "node:process";
import { beforeAll, expect, test } from "vitest";
import { NEWEST_VERSION } from "../../src/contract/versions.ts";
import { FUZZ_RULES } from "../../src/rules/random/fuzz.ts";
import type { FuzzerChoice } from "../../src/options.ts";
import type { RuleResult } from "../../src/run/verdict.ts";
import type { Profile } from "../../src/session/run-options.ts";
import { findTool } from "../../src/schemathesis/find-tool.ts";
import { fuzzOpens } from "../../src/schemathesis/command.ts";
import { runSchemathesis } from "../../src/schemathesis/run-schemathesis.ts";
import { type FaultyServer, startFaultyServer } from "../faulty-server.ts";
import type { Fault } from "../mutant.ts";
import { onAnswer, onRequest } from "../faults/alter.ts";

const LOCAL: FuzzerChoice = { how: "local", image: undefined, python: undefined, env };

/**
 * One fault for each rule that depends on the suite's own settings, hooks or check for Schemathesis. All other rules
 * are tested with mutants.
 */
const FAULTS: Readonly<Record<string, Fault>> = {
  "RBS-FUZZ-06": onRequest("openBrowser", (body) => (Number(body["KeepOpen"]) < 0 ? { ...body, KeepOpen: 20 } : body)),
  "RBS-FUZZ-08": onAnswer("*", ({ status, body }) => ({
    status,
    body,
    ...(status === 405 && { headers: { allow: undefined } }),
  })),
  "RBS-FUZZ-09": onAnswer("getBrowsers", ({ status, body }) =>
    status === 401 ? { status: 200, body: { sessions: [] } } : { status, body },
  ),
  "RBS-FUZZ-10": onAnswer("getBrowsers", ({ status, body }) => ({
    status,
    body: status === 200 ? { sessions: [] } : body,
  })),
};

let why: string | undefined;
beforeAll(async () => {
  const found = await findTool(LOCAL);
  why = "why" in found ? found.why : undefined;
});

test("a correct server passes every rule, and all browsers are closed", async ({ skip }) => {
  skip(why !== undefined, why);
  await using server = await startFaultyServer();
  const results = await fuzz(server, "full");
  expect(results.map(({ rule, verdict, reason }) => [rule, verdict, reason])).toEqual(
    FUZZ_RULES.map(({ id }) => [id, "pass", null]),
  );
  expect(results[0]?.opened).toBeGreaterThan(fuzzOpens("full") / 2);
  expect(results[0]?.opened).toBeLessThanOrEqual(fuzzOpens("full"));
  expect(await listed(server)).toEqual([]);
});

test.for(Object.entries(FAULTS))("%s fails on a server with its fault", async ([id, fault], { skip }) => {
  skip(why !== undefined, why);
  await using server = await startFaultyServer(fault);
  const results = await fuzz(server, "deploy");
  const result = results.find(({ rule }) => rule === id);
  expect(result).toMatchObject({ verdict: "fail" });
  const text = JSON.stringify(result?.findings);
  expect(result?.findings[0]?.exchanges.at(-1)?.curl).toContain("curl -i -X");
  expect(text).not.toContain(server.token);
  expect(text).not.toMatch(/devtools\/browser\/[A-Za-z0-9]/);
});

test("with an invalid token, every rule is inconclusive", async ({ skip }) => {
  skip(why !== undefined, why);
  await using server = await startFaultyServer();
  const results = await fuzz({ ...server, token: "wrong-token-0123456789" }, "deploy");
  expect(new Set(results.map(({ verdict }) => verdict))).toEqual(new Set(["inconclusive"]));
});

async function fuzz({ url, token }: Pick<FaultyServer, "url" | "token">, profile: Profile): Promise<RuleResult[]> {
  const options = {
    ...{
      baseUrl: url.href,
      token,
      tokens: {},
      unitsLeft: undefined,
      contract: NEWEST_VERSION,
      profile,
      labelPrefix: "conformance-of-a-test",
    },
    ...{ rules: [], seed: 1, rate: undefined, parallel: 8, fuzzer: LOCAL },
  };
  return runSchemathesis(options, FUZZ_RULES, () => {});
}

async function listed({ url, token }: FaultyServer): Promise<unknown> {
  const answer = await fetch(new URL("/api/v1/Browser/Get", url), { headers: { Authorization: `Bearer ${token}` } });
  return ((await answer.json()) as { sessions: unknown }).sessions;
}
