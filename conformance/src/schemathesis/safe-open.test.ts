import { execFileSync, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const FILE = fileURLToPath(new URL("python/browser_checks/safe_open.py", import.meta.url));
const hasPython = spawnSync("python3", ["--version"]).status === 0;

const SAFE = { Headless: true, KeepOpen: 15, Label: "run-fuzz" } as const;

test.skipIf(!hasPython).for([
  ["nothing", {}, { Headless: true, KeepOpen: 15, Label: "run-fuzz" }],
  ["nulls", { Headless: null, KeepOpen: null, Label: null }, { Headless: true, KeepOpen: 15, Label: "run-fuzz" }],
  ["a fraction", { KeepOpen: 300.5 }, { Headless: true, KeepOpen: 15.5, Label: "run-fuzz" }],
  ["a lifetime", { Lifetime: 0.5, Tags: ["a"] }, { ...SAFE, Lifetime: 15.5, Tags: ["a"] }],
  ["no lifetime", { Lifetime: null, tags: [] }, { ...SAFE, Lifetime: null }],
  ["a label", { Label: "mine" }, { Headless: true, KeepOpen: 15, Label: "run-mine" }],
  ["a removed option", { Args: [], proxy: {}, headless: false }, { Headless: true, KeepOpen: 15, Label: "run-fuzz" }],
  ["a body that is not an object", null, []],
] as const)("making an Open request with %s harmless doesn't change its validity", ([, body, safe]) => {
  expect(makeSafe(body)).toEqual(safe);
});

test.skipIf(!hasPython)("invalid options remain invalid", () => {
  const wrong = { Headless: 1, KeepOpen: -1, Label: "x".repeat(257), Browser: 1 };
  expect(makeSafe(wrong)).toEqual(wrong);
  expect(makeSafe({ Headless: "true", KeepOpen: true, Label: 7 })).toEqual({
    Headless: "true",
    KeepOpen: true,
    Label: 7,
  });
});

function makeSafe(body: unknown): unknown {
  const program = `
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("safe_open", sys.argv[1])
safe_open = importlib.util.module_from_spec(spec)
spec.loader.exec_module(safe_open)
print(json.dumps(safe_open.make_open_safe(json.loads(sys.argv[2]), "run")))`;
  return JSON.parse(execFileSync("python3", ["-B", "-c", program, FILE, JSON.stringify(body)], { encoding: "utf8" }));
}
