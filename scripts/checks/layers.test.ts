import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { findViolations } from "./layers.ts";

let root: string | undefined;

afterEach(() => {
  if (root !== undefined) rmSync(root, { recursive: true });
  root = undefined;
});

/** Finds the violations in a workspace with these files. */
function violationsOf(files: Record<string, string>): readonly string[] {
  root = mkdtempSync(join(tmpdir(), "layers-"));
  for (const [file, source] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), source);
  }
  return findViolations(root);
}

const from = (specifier: string): string => `import { it } from "${specifier}";`;

const FORBIDDEN: readonly (readonly [file: string, specifier: string, why: string])[] = [
  ["server/src/domain/a.ts", "../ports/b.ts", "server/src/domain may not import server/src/ports"],
  ["server/src/domain/a.ts", "../services/b.ts", "server/src/domain may not import server/src/services"],
  ["server/src/domain/a.ts", "node:fs", "server/src/domain may only import its own code"],
  ["server/src/domain/a.ts", "hono", "server/src/domain may only import its own code"],
  ["server/src/ports/a.ts", "../services/b.ts", "server/src/ports may not import server/src/services"],
  ["server/src/ports/a.ts", "@remote-browser/contract/types", "server/src/ports may not import openapi"],
  ["server/src/concurrency/a.ts", "../services/b.ts", "server/src/concurrency may not import server/src/services"],
  ["server/src/concurrency/a.ts", "node:timers", "server/src/concurrency may only import its own code"],
  ["server/src/broker/a.ts", "../ports/b.ts", "server/src/broker may not import server/src/ports"],
  ["server/src/broker/a.ts", "pino", "server/src/broker may only import its own code, Node's modules and Koffi"],
  ["server/src/services/a.ts", "../contract/b.ts", "server/src/services may not import server/src/contract"],
  ["server/src/services/a.ts", "../api/b.ts", "server/src/services may not import server/src/api"],
  ["server/src/services/a.ts", "../adapters/x/b.ts", "server/src/services may not import server/src/adapters"],
  ["server/src/services/a.ts", "../config/b.ts", "server/src/services may not import server/src/config"],
  [
    "server/src/services/records/a.ts",
    "../browsers/b.ts",
    "server/src/services/records may not import server/src/services/browsers",
  ],
  ["server/src/contract/a.ts", "../services/b.ts", "server/src/contract may not import server/src/services"],
  ["conformance/src/session/a.ts", "../rules/b.ts", "conformance/src/session may not import conformance/src/rules"],
  ["server/src/gateway/a.ts", "../services/b.ts", "server/src/gateway may not import server/src/services"],
  ["server/src/gateway/a.ts", "../api/b.ts", "server/src/gateway may not import server/src/api"],
  ["server/src/api/a.ts", "../web/b.ts", "server/src/api may not import server/src/web"],
  ["server/src/api/a.ts", "../adapters/x/b.ts", "server/src/api may not import server/src/adapters"],
  ["server/src/web/a.ts", "../adapters/x/b.ts", "server/src/web may not import server/src/adapters"],
  ["server/src/web/a.ts", "../app/b.ts", "server/src/web may not import server/src/app"],
  ["server/src/adapters/x/a.ts", "../y/b.ts", "server/src/adapters/x may not import server/src/adapters/y"],
  ["server/src/adapters/x/a.ts", "../broker/b.ts", "server/src/adapters/x may not import server/src/adapters/broker"],
  ["server/src/adapters/x/a.ts", "../../broker/b.ts", "server/src/adapters may not import server/src/broker"],
  ["server/src/adapters/x/a.ts", "../../services/b.ts", "server/src/adapters may not import server/src/services"],
  [
    "server/src/web/dashboard/x/a.ts",
    "../y/b.ts",
    "server/src/web/dashboard/x may not import server/src/web/dashboard/y",
  ],
  [
    "server/src/web/dashboard/x/a.ts",
    "../pages.ts",
    "server/src/web/dashboard/x may not import server/src/web/dashboard/pages.ts",
  ],
  ["server/src/main.ts", "./adapters/x/b.ts", "server/src/main.ts may not import server/src/adapters"],
  ["server/src/config/a.ts", "../adapters/x/b.ts", "server/src/config may not import server/src/adapters"],
  ["server/src/cli/a.ts", "../adapters/x/b.ts", "server/src/cli may not import server/src/adapters"],
  ["server/src/services/a.ts", "../../test/fakes/b.ts", "server/src/services imports a file that is only for tests"],
  ["server/src/services/a.ts", "../../../scripts/b.ts", "server/src/services may not import scripts"],
  ["openapi/scripts/a.ts", "../../server/src/domain/b.ts", "openapi may not import server/src/domain"],
  ["clients/typescript/a.ts", "../../server/src/domain/b.ts", "clients may not import server/src/domain"],
  ["conformance/a.ts", "../server/src/api/b.ts", "conformance may not import server/src/api"],
  ["conformance/a.ts", "../server/test/interface.ts", "conformance imports a file that is only for tests"],
  [
    "conformance/proof/a.ts",
    "../../server/src/app/b.ts",
    "tests of conformance may import server/test/interface.ts instead",
  ],
  [
    "clients/test/a.test.ts",
    "../../server/src/app/b.ts",
    "tests of clients may import server/test/interface.ts instead",
  ],
  ["bench/src/a.ts", "../../server/src/adapters/x/b.ts", "bench may not import server/src/adapters"],
  ["bench/src/a.ts", "../../server/test/support/b.ts", "bench imports a file that is only for tests"],
  ["conformance/a.ts", "@remote-browser/server", "conformance may not import server/package.json"],
];

test.each(FORBIDDEN)("%s may not import %s", (file, specifier, why) => {
  expect(violationsOf({ [file]: from(specifier) })).toStrictEqual([`${file}:1: ${why} (${specifier})`]);
});

const ALLOWED: readonly (readonly [file: string, specifier: string])[] = [
  ["server/src/domain/a.ts", "@remote-browser/contract/types"],
  ["server/src/domain/a.ts", "./b.ts"],
  ["server/src/ports/a.ts", "../domain/b.ts"],
  ["server/src/services/a.ts", "../ports/b.ts"],
  ["server/src/services/a.ts", "../concurrency/b.ts"],
  ["server/src/services/browsers/a.ts", "../records/b.ts"],
  ["server/src/api/a.ts", "../services/records/b.ts"],
  ["server/src/api/a.ts", "../ports/b.ts"],
  ["server/src/gateway/a.ts", "../ports/b.ts"],
  ["server/src/web/a.ts", "../ports/b.ts"],
  ["server/src/web/dashboard/x/a.ts", "../../kit/b.ts"],
  ["server/src/web/dashboard/pages.ts", "./x/b.ts"],
  ["server/src/adapters/x/a.ts", "../../ports/b.ts"],
  ["server/src/adapters/x/deep/a.ts", "../b.ts"],
  ["server/src/adapters/x/a.ts", "../rfb/b.ts"],
  ["server/src/adapters/broker/a.ts", "../../broker/b.ts"],
  ["server/src/broker/a.ts", "node:fs"],
  ["server/src/broker/a.ts", "koffi"],
  ["server/src/app/a.ts", "../adapters/x/b.ts"],
  ["server/src/app/a.ts", "../adapters/broker/b.ts"],
  ["server/src/main.ts", "./app/b.ts"],
  ["server/src/domain/a.test.ts", "../adapters/x/b.ts"],
  ["server/test/a.ts", "../src/adapters/x/b.ts"],
  ["bench/src/a.ts", "../../server/test/interface.ts"],
  ["bench/src/a.ts", "../../server/src/domain/b.ts"],
  ["conformance/proof/a.ts", "../../server/test/interface.ts"],
  ["conformance/proof/a.ts", "../../server/src/domain/b.ts"],
  ["conformance/a.ts", "@remote-browser/contract/types"],
];

test.each(ALLOWED)("%s may import %s", (file, specifier) => {
  expect(violationsOf({ [file]: from(specifier) })).toStrictEqual([]);
});

const FORMS = [
  `import type { It } from "../ports/b.ts";`,
  `import "../ports/b.ts";`,
  `export { it } from "../ports/b.ts";`,
  `export * from "../ports/b.ts";`,
  `const it = await import("../ports/b.ts");`,
  `type It = import("../ports/b.ts").It;`,
];

test.each(FORMS)("the check finds every form of import: %s", (source) => {
  expect(violationsOf({ "server/src/domain/a.ts": `\n${source}` })).toStrictEqual([
    "server/src/domain/a.ts:2: server/src/domain may not import server/src/ports (../ports/b.ts)",
  ]);
});

test("a port may import Node's types, but not its code", () => {
  expect(violationsOf({ "server/src/ports/a.ts": `import type { Socket } from "node:net";` })).toStrictEqual([]);
});

test("a report lists only the files in an import cycle", () => {
  const folder = "server/src/domain";
  const violations = violationsOf({
    [`${folder}/a.ts`]: from("./b.ts"),
    [`${folder}/b.ts`]: from("./c.ts"),
    [`${folder}/c.ts`]: from("./b.ts"),
  });
  expect(violations).toStrictEqual([
    `${folder}/b.ts:1: imports itself: ${folder}/b.ts → ${folder}/c.ts → ${folder}/b.ts`,
  ]);
});

test("a folder has at most 20 entries", () => {
  const files = (count: number) => Array.from({ length: count }, (_, index) => [`bench/src/${index}.css`, ""] as const);
  expect(violationsOf(Object.fromEntries([...files(19), ["bench/src/rows/a.ts", ""]]))).toStrictEqual([]);
  expect(violationsOf(Object.fromEntries([...files(20), ["bench/src/rows/a.ts", ""]]))).toStrictEqual([
    "bench/src: has 21 entries; give what belongs together a folder of its own",
  ]);
});

test("a folder of services has at most three import levels", () => {
  const folder = "server/src/services/browsers";
  const files = { [`${folder}/a.ts`]: from("./b.ts"), [`${folder}/b.ts`]: from("./c.ts"), [`${folder}/c.ts`]: "" };
  expect(violationsOf({ ...files, [`${folder}/a.test.ts`]: from("./a.ts") })).toStrictEqual([]);
  expect(violationsOf({ ...files, [`${folder}/c.ts`]: from("./d.ts"), [`${folder}/d.ts`]: "" })).toStrictEqual([
    `${folder}: has more than 3 import levels: ${["a", "b", "c", "d"].map((name) => `${folder}/${name}.ts`).join(" → ")}`,
  ]);
});
