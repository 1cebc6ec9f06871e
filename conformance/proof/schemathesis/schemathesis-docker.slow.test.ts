import { env } from "node:process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Environment } from "../../src/options.ts";
import { NEWEST_VERSION } from "../../src/contract/versions.ts";
import { FUZZ_RULES } from "../../src/rules/random/fuzz.ts";
import { findTool } from "../../src/schemathesis/find-tool.ts";
import { fuzzOpens } from "../../src/schemathesis/command.ts";
import { runSchemathesis } from "../../src/schemathesis/run-schemathesis.ts";
import { startEngine, whyNoEngine } from "../../../server/test/support/machine/docker-engine.ts";
import { importImage } from "./schemathesis-image.ts";
import { startFaultyServer } from "../faulty-server.ts";
import { onAnswer } from "../faults/alter.ts";

const IMAGE = "rbs-schemathesis:local";
const PYTHON = fileURLToPath(new URL("../../../.venv/bin/python", import.meta.url));

const acquired = new AsyncDisposableStack();
let why: string | undefined;
let environment: Environment = env;

beforeAll(async () => {
  const local = await findTool({ how: "local", image: undefined, python: PYTHON, env });
  why = "why" in local ? local.why : await whyNoEngine();
  if (why !== undefined) return;
  const engine = acquired.use(await startEngine());
  await importImage(engine, PYTHON, IMAGE);
  environment = { ...env, DOCKER_HOST: engine.host };
}, 180_000);

afterAll(() => acquired.disposeAsync());

test("a local image takes precedence over a local Python", async ({ skip }) => {
  skip(why !== undefined, why);
  const found = await findTool({ how: "auto", image: IMAGE, python: PYTHON, env: environment });
  expect(found).toEqual({ tool: { kind: "docker", image: IMAGE } });
});

test("if the image is missing, a local Python is used, or an error is reported if Docker is required", async ({
  skip,
}) => {
  skip(why !== undefined, why);
  // No registry listens on this port.
  const choice = { image: "localhost:1/schemathesis:none", python: PYTHON, env: environment };
  expect(await findTool({ how: "auto", ...choice })).toMatchObject({ tool: { kind: "local" } });
  expect(await findTool({ how: "docker", ...choice })).toEqual({
    why: expect.stringMatching(/is not available .*--schemathesis-image/),
  });
});

test("in a container, a correct server passes and a faulty server fails", async ({ skip }) => {
  skip(why !== undefined, why);
  const options = {
    ...{
      tokens: {},
      unitsLeft: undefined,
      contract: NEWEST_VERSION,
      labelPrefix: "conformance-in-docker",
      rules: [],
      seed: 1,
      rate: undefined,
    },
    profile: "deploy" as const,
    parallel: 8,
    fuzzer: { how: "docker" as const, image: IMAGE, python: undefined, env: environment },
  };
  await using right = await startFaultyServer();
  const passed = await runSchemathesis(
    { ...options, baseUrl: right.url.href, token: right.token },
    FUZZ_RULES,
    () => {},
  );
  expect(passed.map(({ rule, verdict, reason }) => [rule, verdict, reason])).toEqual(
    FUZZ_RULES.map(({ id }) => [id, "pass", null]),
  );
  expect(passed[0]?.opened).toBeLessThanOrEqual(fuzzOpens("deploy"));

  await using wrong = await startFaultyServer(
    onAnswer("getBrowsers", ({ status, body }) => ({ status: status === 200 ? 206 : status, body })),
  );
  const failed = await runSchemathesis(
    { ...options, baseUrl: wrong.url.href, token: wrong.token },
    FUZZ_RULES,
    () => {},
  );
  expect(failed.find(({ rule }) => rule === "RBS-FUZZ-02")).toMatchObject({ verdict: "fail" });
  expect(JSON.stringify(failed)).not.toContain(wrong.token);
});
