import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readNotices } from "./notices.ts";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "notices-"));
});

afterEach(() => rmSync(root, { recursive: true }));

type Package = { readonly entry: object; readonly licenceText?: string };

function install(packages: Record<string, Package>): void {
  const entries = Object.fromEntries(Object.entries(packages).map(([path, { entry }]) => [path, entry]));
  const names = Object.keys(packages).map((path) => path.slice(path.lastIndexOf("node_modules/") + 13));
  const dependencies = Object.fromEntries(names.map((name) => [name, "*"]));
  writeFileSync(
    join(root, "package-lock.json"),
    JSON.stringify({ packages: { server: { dependencies }, ...entries } }),
  );
  for (const [path, { licenceText }] of Object.entries(packages)) {
    mkdirSync(join(root, path), { recursive: true });
    if (licenceText !== undefined) writeFileSync(join(root, path, "LICENSE"), licenceText);
  }
}

test("a server package is listed with its distinct copyright lines and no other text about copyright", () => {
  const licenceText = "MIT\n\n  Copyright (c) 2020 Ada\nCopyright 2021 Bob\nCopyright 2021 Bob\nthe copyright owner\n";
  install({ "node_modules/b": { entry: { version: "1.2.3", license: "MIT" }, licenceText } });
  const copyright = ["Copyright (c) 2020 Ada", "Copyright 2021 Bob"];
  const text = licenceText.trim();
  expect(readNotices(root)).toStrictEqual([{ name: "b", version: "1.2.3", licence: "MIT", copyright, text }]);
});

test("a copyright line may begin with up to three words", () => {
  const licenceText = "b derived work Copyright (c) 2012 Ada\nall that follows here is under Copyright (c) 2013 Bob\n";
  install({ "node_modules/b": { entry: { version: "1.2.3", license: "MIT" }, licenceText } });
  expect(readNotices(root)[0]?.copyright).toStrictEqual(["Copyright (c) 2012 Ada"]);
});

test("packages that the server doesn't need, and our own packages, are omitted", () => {
  install({
    "": { entry: { dependencies: { tool: "1.0.0" } } },
    server: {
      entry: { devDependencies: { tool: "1.0.0" }, dependencies: { "@ours/contract": "0.1.0", other: "1.0.0" } },
    },
    "node_modules/@ours/contract": { entry: { link: true, resolved: "openapi" } },
    "node_modules/tool": { entry: { version: "1.0.0", license: "MIT" } },
    "node_modules/other": { entry: { version: "1.0.0", license: "MIT", optional: true } },
  });
  expect(readNotices(root)).toStrictEqual([]);
});

test("a package's notices include bundled code's notices, without duplicates", () => {
  install({ "node_modules/b": { entry: { version: "1.2.3", license: "MIT" }, licenceText: "Copyright (c) 2020 Ada" } });
  for (const script of ["bundle.js", "es-bundle.js"]) {
    writeFileSync(join(root, "node_modules/b", `${script}.LICENSE.txt`), "Copyright (c) 2021 Bob\n");
  }
  const [notice] = readNotices(root);
  expect(notice?.copyright).toStrictEqual(["Copyright (c) 2020 Ada", "Copyright (c) 2021 Bob"]);
  expect(notice?.text).toBe("Copyright (c) 2020 Ada\n\nCopyright (c) 2021 Bob");
});

test("all packages are sorted by name, including nested packages", () => {
  const entry = { version: "1.0.0", license: "ISC" };
  install({
    "node_modules/z": { entry: { ...entry, dependencies: { "@a/b": "1.0.0" } } },
    "node_modules/z/node_modules/@a/b": { entry },
    "node_modules/c": { entry },
  });
  expect(readNotices(root).map(({ name }) => name)).toStrictEqual(["@a/b", "c", "z"]);
});

test("a package without a licence is refused", () => {
  install({ "node_modules/b": { entry: { version: "1.2.3" } } });
  expect(() => readNotices(root)).toThrow("b 1.2.3 declares no licence.");
});
