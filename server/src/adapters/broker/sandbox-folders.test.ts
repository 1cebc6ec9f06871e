import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { getuid } from "node:process";
import { expect, onTestFinished, test } from "vitest";
import { openWorkFolder } from "../../../test/support/real-host.ts";
import { SandboxFolders } from "./sandbox-folders.ts";
import { sandboxes } from "./sandboxes.ts";

const IS_ROOT = getuid?.() === 0;

function workFolder(): string {
  const folder = openWorkFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  return folder.path;
}

test("what a killed server left is removed by the next one's start", async () => {
  const root = workFolder();
  mkdirSync(join(root, "left/home/profile"), { recursive: true });
  writeFileSync(join(root, "left/home/profile/Cookies"), "x");
  writeFileSync(join(root, "a file"), "x");
  await new SandboxFolders(root, IS_ROOT).prepare();
  expect(readdirSync(root)).toEqual([]);
});

test("cells can pass through the folder of all cells and not list it, whatever it was before", async () => {
  const root = workFolder();
  chmodSync(root, 0o777);
  await new SandboxFolders(root, IS_ROOT).prepare();
  expect(statSync(root).mode & 0o777).toBe(0o711);
});

test("a link in the place of the folder of all cells is refused, and what it leads to is left alone", async () => {
  const [root, other] = [workFolder(), workFolder()];
  writeFileSync(join(other, "mine"), "x");
  symlinkSync(other, join(root, "link"));
  await expect(new SandboxFolders(join(root, "link"), IS_ROOT).prepare()).rejects.toThrow(/RBS_WORK_DIR/);
  expect(readdirSync(other)).toEqual(["mine"]);
});

test.skipIf(!IS_ROOT)("a folder of somebody else's is refused, and left alone", async () => {
  const { chownSync } = await import("node:fs");
  const root = workFolder();
  mkdirSync(join(root, "theirs/data"), { recursive: true });
  chownSync(join(root, "theirs"), 12_345, 12_345);
  await expect(new SandboxFolders(join(root, "theirs"), true).prepare()).rejects.toThrow(/RBS_WORK_DIR/);
  expect(readdirSync(join(root, "theirs"))).toEqual(["data"]);
});

test("a path too long for sockets is refused at the start, not at the first browser", async () => {
  const root = join(workFolder(), "x".repeat(60));
  await expect(sandboxes({ root, hasOwners: IS_ROOT }).prepare()).rejects.toThrow(/too long.*RBS_WORK_DIR/);
  expect(existsSync(root)).toBe(false);
});

test.skipIf(!IS_ROOT)(
  "each cell has a user of its own, above all that a system hands out, and none else may look",
  async () => {
    const root = workFolder();
    const folders = new SandboxFolders(root, true);
    const made = await Promise.all(Array.from({ length: 20 }, (_, index) => folders.make(`c${index}`, ["home"])));
    const owners = new Set(made.map(({ owner = 0 }) => owner));
    expect(owners.size).toBe(20);
    expect(Math.min(...owners)).toBeGreaterThanOrEqual(0x7000_0000);
    for (const { path, owner } of made) {
      for (const part of [path, join(path, "home")]) {
        expect(statSync(part)).toMatchObject({ uid: owner, gid: owner, mode: 0o40700 });
      }
    }
    await Promise.all(made.map((folder) => folder[Symbol.asyncDispose]()));
    expect(readdirSync(root)).toEqual([]);
  },
);

test("a name that is taken is refused, and the one who has it keeps everything", async () => {
  const root = workFolder();
  const folders = new SandboxFolders(root, IS_ROOT);
  const first = await folders.make("same", ["home"]);
  writeFileSync(join(first.path, "home/file"), "x");
  await expect(folders.make("same", ["home"])).rejects.toThrow(/EEXIST/);
  expect(existsSync(join(first.path, "home/file"))).toBe(true);
  await first[Symbol.asyncDispose]();
  await first[Symbol.asyncDispose]();
  expect(readdirSync(root)).toEqual([]);
});

test("a folder that can't be made in full is given back", async () => {
  const root = workFolder();
  await expect(new SandboxFolders(root, IS_ROOT).make("cell", ["home", "no/such/place"])).rejects.toThrow(/ENOENT/);
  expect(readdirSync(root)).toEqual([]);
});

test.skipIf(!IS_ROOT)(
  "a folder that can't be removed now fails nobody, and its user is not given to another",
  async () => {
    const root = workFolder();
    const folders = new SandboxFolders(root, true);
    const folder = await folders.make("stuck", ["home"]);
    const { execFileSync } = await import("node:child_process");
    execFileSync("mount", ["-t", "tmpfs", "none", join(folder.path, "home")]);
    await folder[Symbol.asyncDispose]();
    expect(readdirSync(root)).toEqual(["stuck"]);
    execFileSync("umount", [join(folder.path, "home")]);
    await folders.prepare();
    expect(readdirSync(root)).toEqual([]);
  },
);
