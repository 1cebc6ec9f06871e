import { execFileSync, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const FILE = fileURLToPath(new URL("python/browser_checks/tame.py", import.meta.url));
const hasPython = spawnSync("python3", ["--version"]).status === 0;

test.skipIf(!hasPython).for([
  ["nothing", {}, { Headless: true, KeepOpen: 15, Label: "run-fuzz" }],
  ["nulls", { Headless: null, KeepOpen: null, Label: null }, { Headless: true, KeepOpen: 15, Label: "run-fuzz" }],
  ["a fraction", { KeepOpen: 300.5 }, { Headless: true, KeepOpen: 15.5, Label: "run-fuzz" }],
  ["a label", { Label: "mine" }, { Headless: true, KeepOpen: 15, Label: "run-mine" }],
  ["an option left out", { Args: [], proxy: {}, headless: false }, { Headless: true, KeepOpen: 15, Label: "run-fuzz" }],
  ["no object", null, []],
] as const)("an Open with %s becomes harmless and stays as valid as it was", ([, body, tamed]) => {
  expect(tame(body)).toEqual(tamed);
});

test.skipIf(!hasPython)("what is not valid stays so", () => {
  const wrong = { Headless: 1, KeepOpen: -1, Label: "x".repeat(257), Browser: 1 };
  expect(tame(wrong)).toEqual(wrong);
  expect(tame({ Headless: "true", KeepOpen: true, Label: 7 })).toEqual({ Headless: "true", KeepOpen: true, Label: 7 });
});

function tame(body: unknown): unknown {
  const program = `
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("tame", sys.argv[1])
tame = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tame)
print(json.dumps(tame.tame_open(json.loads(sys.argv[2]), "run")))`;
  return JSON.parse(execFileSync("python3", ["-B", "-c", program, FILE, JSON.stringify(body)], { encoding: "utf8" }));
}
