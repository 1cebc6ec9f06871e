import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { findViolations } from "./find-violations.ts";

let root: string | undefined;

afterEach(() => {
  if (root !== undefined) rmSync(root, { recursive: true });
  root = undefined;
});

/** A workspace of these files, each with its import. */
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
  ["server/src/domain/a.ts", "../ports/b.ts", "domain may not import ports"],
  ["server/src/domain/a.ts", "../services/b.ts", "domain may not import services"],
  ["server/src/domain/a.ts", "../adapters/x/b.ts", "domain may not import adapters"],
  ["server/src/domain/a.ts", "node:fs", "domain runs nothing but its own code"],
  ["server/src/domain/a.ts", "hono", "domain runs nothing but its own code"],
  ["server/src/ports/a.ts", "../services/b.ts", "ports may not import services"],
  ["server/src/ports/a.ts", "@remote-browser/contract/types", "ports may not import contract"],
  ["server/src/services/a.ts", "../http/b.ts", "services may not import http"],
  ["server/src/services/a.ts", "../routes/b.ts", "services may not import routes"],
  ["server/src/services/a.ts", "../adapters/x/b.ts", "services may not import adapters"],
  ["server/src/services/a.ts", "../config.ts", "services may not import config"],
  ["server/src/http/a.ts", "../services/b.ts", "http may not import services"],
  ["server/src/http/a.ts", "../ports/b.ts", "http may not import ports"],
  ["server/src/http/a.ts", "../routes/b.ts", "http may not import routes"],
  ["server/src/routes/a.ts", "../ports/b.ts", "routes may not import ports"],
  ["server/src/routes/a.ts", "../adapters/x/b.ts", "routes may not import adapters"],
  ["server/src/adapters/x/a.ts", "../y/b.ts", "adapter x may not import adapter y"],
  ["server/src/adapters/x/a.ts", "../../services/b.ts", "adapters may not import services"],
  ["server/src/adapters/x/a.ts", "../../http/b.ts", "adapters may not import http"],
  ["server/src/routes/dashboard/x/a.ts", "../y/b.ts", "pages of x may not import pages of y"],
  ["server/src/routes/dashboard/frame/a.ts", "../y/b.ts", "pages of frame may not import pages of y"],
  ["server/src/main.ts", "./adapters/x/b.ts", "main may not import adapters"],
  ["server/src/config.ts", "./adapters/x/b.ts", "config may not import adapters"],
  ["server/src/welcome.ts", "./adapters/x/b.ts", "entry may not import adapters"],
  ["server/src/services/a.ts", "../../test/fakes/b.ts", "services imports what exists for tests"],
  ["server/src/services/a.ts", "../../../scripts/b.ts", "services may not import scripts"],
  ["openapi/scripts/a.ts", "../../server/src/domain/b.ts", "contract may not import domain"],
  ["clients/typescript/a.ts", "../../server/src/domain/b.ts", "clients may not import domain"],
  ["conformance/a.ts", "../server/src/http/b.ts", "conformance may not import http"],
  ["conformance/a.ts", "@remote-browser/server", "conformance may not import manifest"],
];

test.each(FORBIDDEN)("%s may not import %s", (file, specifier, why) => {
  expect(violationsOf({ [file]: from(specifier) })).toStrictEqual([`${file}:1: ${why} (${specifier})`]);
});

const ALLOWED: readonly (readonly [file: string, specifier: string])[] = [
  ["server/src/domain/a.ts", "@remote-browser/contract/types"],
  ["server/src/domain/a.ts", "./b.ts"],
  ["server/src/ports/a.ts", "../domain/b.ts"],
  ["server/src/services/a.ts", "../ports/b.ts"],
  ["server/src/http/a.ts", "../domain/b.ts"],
  ["server/src/routes/a.ts", "../services/b.ts"],
  ["server/src/routes/a.ts", "../domain/b.ts"],
  ["server/src/adapters/x/a.ts", "../../ports/b.ts"],
  ["server/src/adapters/x/deep/a.ts", "../b.ts"],
  ["server/src/app.ts", "./adapters/x/b.ts"],
  ["server/src/host.ts", "./adapters/x/b.ts"],
  ["server/src/account.ts", "./adapters/x/b.ts"],
  ["server/src/main.ts", "./app.ts"],
  ["server/src/domain/a.test.ts", "../adapters/x/b.ts"],
  ["server/test/a.ts", "../src/adapters/x/b.ts"],
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

test.each(FORMS)("an import is one in whatever form: %s", (source) => {
  expect(violationsOf({ "server/src/domain/a.ts": `\n${source}` })).toStrictEqual([
    "server/src/domain/a.ts:2: domain may not import ports (../ports/b.ts)",
  ]);
});

test("a type of Node's may stand in a port, its code may not", () => {
  expect(violationsOf({ "server/src/ports/a.ts": `import type { Socket } from "node:net";` })).toStrictEqual([]);
});

test("files that import each other in a circle are named, one that is not in it is not", () => {
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
