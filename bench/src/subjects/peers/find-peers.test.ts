import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findPeers } from "./find-peers.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "peers-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function write(name: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await writeFile(join(folder, name), text);
}

test("an installed service is found with its version", async () => {
  await write("node_modules/@browserless.io/browserless/build/index.js", "");
  await write("node_modules/@browserless.io/browserless/package.json", '{"version": "2.42.0"}');
  expect(findPeers(folder)).toMatchObject([{ kind: { name: "browserless" }, version: "2.42.0" }]);
});

test("a service that hasn't been built counts as missing", async () => {
  await write("steel-browser/package.json", '{"version": "0.4.4"}');
  expect(() => findPeers(folder)).toThrow(/Steel: steel-browser\/api\/build\/index\.js is missing/);
});

test("the error for an empty folder describes how to install each service", () => {
  expect(() => findPeers(folder)).toThrow(/npm install .*@browserless\.io[^]*git clone .*steel-browser/);
});
