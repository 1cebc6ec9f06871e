import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { hasDependencies } from "./npm-dependencies.mjs";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "workspace-"));
  write("package.json", {});
  write("server/package.json", { dependencies: { hono: "4.0.0" } });
  write("package-lock.json", LOCK);
  write("node_modules/.package-lock.json", INSTALLED);
  write("node_modules/.bin/node", {});
  write("node_modules/hono/package.json", {});
  write("node_modules/@ours/server/package.json", {});
});

afterEach(() => rmSync(root, { recursive: true }));

function write(file: string, content: object): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), JSON.stringify(content));
}

const LOCK = {
  packages: {
    "": {},
    server: { dependencies: { hono: "4.0.0" } },
    "node_modules/hono": { version: "4.0.0" },
    "node_modules/@ours/server": { link: true },
    "node_modules/for-another-system": { version: "1.0.0", optional: true },
  },
};

const INSTALLED = {
  packages: {
    "node_modules/hono": { version: "4.0.0" },
    "node_modules/@ours/server": { link: true },
  },
};

test("packages that npm has recorded count as installed; packages for other systems may be missing", () => {
  expect(hasDependencies(root, "all")).toBe(true);
});

test("a package with a different version counts as missing", () => {
  write("node_modules/.package-lock.json", {
    packages: { ...INSTALLED.packages, "node_modules/hono": { version: "3.9.0" } },
  });
  expect(hasDependencies(root, "all")).toBe(false);
});

test("a new package in the lockfile counts as missing", () => {
  write("package-lock.json", { packages: { ...LOCK.packages, "node_modules/ws": { version: "8.0.0" } } });
  expect(hasDependencies(root, "all")).toBe(false);
});

test("a dependency that is listed only in a package.json counts as missing", () => {
  write("server/package.json", { dependencies: { hono: "4.0.0", ws: "8.0.0" } });
  expect(hasDependencies(root, "all")).toBe(false);
});

test.each(["node_modules", "node_modules/.package-lock.json", "node_modules/.bin/node", "node_modules/hono"])(
  "an installation without %s counts as missing",
  (path) => {
    rmSync(join(root, path), { recursive: true });
    expect(hasDependencies(root, "all")).toBe(false);
  },
);

test("the server needs its direct and indirect dependencies, but none of the workspace's tools", () => {
  const tools = { vitest: { version: "1.0.0" }, hono: { version: "4.0.0", dependencies: { ws: "8.0.0" } } };
  write("package-lock.json", {
    packages: {
      ...LOCK.packages,
      "": { devDependencies: { vitest: "1.0.0" } },
      "node_modules/vitest": tools.vitest,
      "node_modules/hono": tools.hono,
      "node_modules/hono/node_modules/ws": { version: "8.0.0" },
      "node_modules/ws": { version: "7.0.0" },
    },
  });
  write("package.json", { devDependencies: { vitest: "1.0.0" } });
  expect([hasDependencies(root, "server"), hasDependencies(root, "all")]).toEqual([false, false]);
  write("node_modules/.package-lock.json", {
    packages: { ...INSTALLED.packages, "node_modules/hono/node_modules/ws": { version: "8.0.0" } },
  });
  write("node_modules/hono/node_modules/ws/package.json", {});
  expect([hasDependencies(root, "server"), hasDependencies(root, "all")]).toEqual([true, false]);
});

test("an installation with an incomplete record counts as missing", () => {
  writeFileSync(join(root, "node_modules/.package-lock.json"), '{"packages":{');
  expect(hasDependencies(root, "all")).toBe(false);
});

test("the lockfile of this workspace matches every package.json", () => {
  expect(hasDependencies(join(import.meta.dirname, "../.."), "all")).toBe(true);
});
