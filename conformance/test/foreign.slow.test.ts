import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type Program, startProgram } from "../../clients/test/program.ts";
import { PYTHON } from "../../scripts/setup/toolchains.ts";
import type { Tokens } from "../proof/accounts.ts";
import { runRules, toOptions } from "../proof/try-mutant.ts";
import type { RuleId, SpecialAccount } from "../src/contract/vocabulary.ts";
import { Semaphore } from "../src/session/semaphore.ts";
import { argumentsFor } from "./support/arguments.ts";
import { runCommand } from "./support/run-command.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const EXAMPLE = join(ROOT, "conformance/foreign");

const accounts = JSON.parse(readFileSync(join(EXAMPLE, "accounts.json"), "utf8")) as Record<string, { token: string }>;
const { main, ...special } = Object.fromEntries(Object.entries(accounts).map(([name, { token }]) => [name, token]));
const TOKENS: Tokens = { token: main ?? "", tokens: special as Record<SpecialAccount, string> };

/** The rules that must find each fault. */
const FAULTS = JSON.parse(
  execFileSync(join(ROOT, PYTHON), ["-B", join(EXAMPLE, "faults.py")], { encoding: "utf8" }),
) as Record<string, readonly RuleId[]>;

/** The faults that the suite must be able to find in any implementation. */
const ELEVEN = [
  ...["chromium-after-close", "token-case", "proxy-ignored", "one-unit", "large-messages-dropped", "crash-as-1000"],
  ...["white-screenshots", "keepopen-short", "any-switch", "third-client-refused", "kept-place"],
];

/** How many faulty servers run at the same time. Starting browsers keeps a processor busy. */
const servers = new Semaphore(2);

function startExample(faults: readonly string[] = []): Promise<Program> {
  const args = ["-B", EXAMPLE, "--port", "0", ...faults.flatMap((fault) => ["--fault", fault])];
  return startProgram({ path: join(ROOT, PYTHON), args, settings: {}, readyLine: /^Listening on (\S+)$/ });
}

/** Runs rules on the example with faults. @returns The rules that failed, sorted. */
async function findFailures(faults: readonly string[], rules: readonly RuleId[]): Promise<readonly string[]> {
  using _ = await servers.acquire(1);
  await using example = await startExample(faults);
  const options = toOptions({ url: new URL(example.ready), ...TOKENS }, rules, 1);
  const results = await runRules({ ...options, parallel: 3, lightKind: 3, lacks: ["graphical", "desktop", "ai"] });
  return results.flatMap(({ rule, verdict }) => (verdict === "fail" ? [rule] : [])).toSorted();
}

test("the example in Python is conformant in everything that it offers", async () => {
  await using example = await startExample();
  const options = ["--profile", "full", "--site", "http://127.0.0.1:0"];
  const { code, stdout } = await runCommand([...argumentsFor({ url: example.ready, ...TOKENS }), ...options]);
  expect(stdout).toMatch(/^CONFORMANT IN CORE, IDLE, QUOTA, PROXY, STEALTH, ISOLATION, SITES:/m);
  for (const missing of ["desktop", "ai"]) expect(stdout).toMatch(new RegExp(`^ *${missing} +not offered$`, "m"));
  expect({ code, stdout }).toMatchObject({ code: 0 });
});

test("rules find each fault of the example, and pass without it", async () => {
  const all = Object.entries(FAULTS).filter(([, rules]) => rules.length > 0);
  const found = await Promise.all(all.map(async ([fault, rules]) => [fault, await findFailures([fault], rules)]));
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(all));
  expect(await findFailures([], [...new Set(all.flatMap(([, rules]) => rules))])).toEqual([]);
});

test("rules find eleven faults that one server has at the same time", async () => {
  const rules = ELEVEN.flatMap((fault) => FAULTS[fault] ?? []);
  expect(await findFailures(ELEVEN, rules)).toEqual(rules.toSorted());
});
