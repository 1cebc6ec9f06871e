import { expect, test } from "vitest";
import type { RunOptions } from "../session/run-options.ts";
import { toCommand, toRateLimit } from "./command.ts";

const OPTIONS: RunOptions = {
  baseUrl: "https://browsers.example.com/eu/",
  token: "a-secret-token",
  tokens: {},
  unitsLeft: undefined,
  contract: "1.1",
  profile: "deploy",
  labelPrefix: "conformance-1234",
  rules: [],
  seed: 7,
  rate: 10,
  parallel: 2,
};
const PLACE = { folder: "/tmp/a-run", name: "a-container", env: { HTTPS_PROXY: "http://10.0.0.1:3128" } };

test.for([
  { kind: "local", command: ["python3", "-m", "schemathesis.cli"] } as const,
  { kind: "docker", image: "schemathesis:some" } as const,
])("the token is in the environment of a $kind run and not on its command line", (tool) => {
  const { command, env } = toCommand(tool, OPTIONS, PLACE);
  expect(command.join(" ")).not.toContain(OPTIONS.token);
  expect(env["RBS_FUZZ_TOKEN"]).toBe(OPTIONS.token);
});

test("a container has read-only files, one writable directory, and the same options as a local run", () => {
  const { command } = toCommand({ kind: "docker", image: "schemathesis:some" }, OPTIONS, PLACE);
  const line = command.join(" ");
  expect(line).toMatch(/--volume \S+schemathesis\.toml:\/suite\/schemathesis\.toml:ro/);
  expect(line).toMatch(/--volume \S+python:\/suite\/python:ro/);
  expect(line).toContain("--volume /tmp/a-run:/work");
  expect(line).toContain("--env RBS_FUZZ_TOKEN ");
  expect(line).toContain("--env HTTPS_PROXY ");
  const local = toCommand({ kind: "local", command: ["schemathesis"] }, OPTIONS, PLACE).command.slice(1);
  const after = command.slice(command.indexOf("schemathesis:some") + 1);
  const options = (all: readonly string[]): readonly string[] => all.filter((each) => !each.startsWith("/"));
  expect(options(after)).toEqual(options(local));
});

test("Queries are sent only if the run includes rules about Query", () => {
  const queriesOf = (rules: RunOptions["rules"]): string | undefined =>
    toCommand({ kind: "docker", image: "i" }, { ...OPTIONS, rules }, PLACE).env["RBS_FUZZ_QUERIES"];
  expect(queriesOf(["RBS-FUZZ-01"])).toBe("0");
  expect(Number(queriesOf(["RBS-FUZZ-01", "RBS-AI-03"]))).toBeGreaterThan(0);
});

test("the hooks and the tool respect the given rate", () => {
  const { command, env } = toCommand({ kind: "local", command: ["schemathesis"] }, OPTIONS, PLACE);
  expect(command[command.indexOf("--rate-limit") + 1]).toBe("10/s");
  expect(env["RBS_FUZZ_PAUSE"]).toBe("0.1");
  expect(toRateLimit(0.5)).toBe("30/m");
});
