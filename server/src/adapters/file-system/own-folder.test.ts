import { chown, lstat, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getuid } from "node:process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { prepareOwnFolder } from "./own-folder.ts";

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "rbs-own-"));
});
afterAll(() => rm(root, { recursive: true }));

test("a folder is created for its owner only, and an existing one is accepted, even through a link", async () => {
  const path = join(root, "deep", "own");
  await prepareOwnFolder(path, 0o700);
  expect((await lstat(path)).mode & 0o777).toBe(0o700);
  await symlink(path, join(root, "link"));
  await prepareOwnFolder(join(root, "link"), 0o700);
});

test.each([
  ["is a file", import.meta.filename],
  ["is below a file", join(import.meta.filename, "below")],
  ["is on a file system that doesn't allow folders", "/proc/no-folder/below"],
])("a path that %s is refused, and the error names the settings to change", async (_name, path) => {
  await expect(prepareOwnFolder(path, 0o700)).rejects.toThrow(/can't be created: set RBS_DATA_DIR/);
});

test.runIf(getuid?.() === 0)("another user's folder is refused", async () => {
  const path = join(root, "theirs");
  await prepareOwnFolder(path, 0o700);
  await chown(path, 65_534, 65_534);
  await expect(prepareOwnFolder(path, 0o700)).rejects.toThrow(/belongs to user 65534, but the server runs as user/);
});
