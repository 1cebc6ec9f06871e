import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { getuid } from "node:process";
import { expect, onTestFinished, test } from "vitest";
import { openWorkFolder } from "../../../test/support/browsers/real-host.ts";
import { SandboxFolders } from "../../broker/folders/sandbox-folders.ts";
import { newDiskStorage, prepareRoot } from "./disk-folders.ts";

const IS_ROOT = getuid?.() === 0;

/** Folders that couldn't be removed. */
const stuck: string[] = [];

function workFolder(): string {
  const folder = openWorkFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  return folder.path;
}

function newFolders(root: string): SandboxFolders {
  return new SandboxFolders({ root, hasOwners: IS_ROOT, storage: newDiskStorage(onStuck) });
}

function onStuck(path: string): void {
  stuck.push(path);
}

test("a killed server's folders are removed at the next start", async () => {
  const root = workFolder();
  mkdirSync(join(root, "left/home/profile"), { recursive: true });
  writeFileSync(join(root, "left/home/profile/Cookies"), "x");
  writeFileSync(join(root, "a file"), "x");
  await prepareRoot(root, onStuck);
  expect(readdirSync(root)).toEqual([]);
});

test("sandbox users can traverse the root folder but not list it, whatever its mode was", async () => {
  const root = workFolder();
  chmodSync(root, 0o777);
  await prepareRoot(root, onStuck);
  expect(statSync(root).mode & 0o777).toBe(0o711);
});

test("a link is refused as the root folder, and its target is not changed", async () => {
  const [root, other] = [workFolder(), workFolder()];
  writeFileSync(join(other, "mine"), "x");
  symlinkSync(other, join(root, "link"));
  await expect(prepareRoot(join(root, "link"), onStuck)).rejects.toThrow(/RBS_WORK_DIR/);
  expect(readdirSync(other)).toEqual(["mine"]);
});

test.skipIf(!IS_ROOT)("another user's folder is refused as the root folder, and isn't changed", async () => {
  const root = workFolder();
  mkdirSync(join(root, "theirs/data"), { recursive: true });
  chownSync(join(root, "theirs"), 12_345, 12_345);
  await expect(prepareRoot(join(root, "theirs"), onStuck)).rejects.toThrow(/RBS_WORK_DIR/);
  expect(readdirSync(join(root, "theirs"))).toEqual(["data"]);
});

test.skipIf(!IS_ROOT)(
  "each sandbox has its own user, with an id that no system assigns, and only that user can enter its folder",
  async () => {
    const root = workFolder();
    const folders = newFolders(root);
    const ids = Array.from({ length: 20 }, (_, index) => `s${index}`);
    await Promise.all(ids.map((id) => folders.makeFolder(id)));
    const homes = ids.map((id) => folders.folderOf(id).home);
    const owners = homes.map((home) => statSync(home).uid);
    expect(new Set(owners).size).toBe(20);
    expect(Math.min(...owners)).toBeGreaterThanOrEqual(0x7000_0000);
    for (const [index, home] of homes.entries()) {
      const owner = owners[index];
      for (const part of [home, join(home, "../tmp"), join(home, "..")]) {
        expect(statSync(part)).toMatchObject({ uid: owner, gid: owner, mode: 0o40700 });
      }
    }
    await Promise.all(ids.map((id) => folders.remove(id)));
    expect(readdirSync(root)).toEqual([]);
  },
);

test("an id in use is refused, and its sandbox keeps its files", async () => {
  const root = workFolder();
  const folders = newFolders(root);
  await folders.makeFolder("same");
  const { home } = folders.folderOf("same");
  writeFileSync(join(home, "file"), "x");
  await expect(folders.makeFolder("same")).rejects.toThrow(/EEXIST/);
  expect(existsSync(join(home, "file"))).toBe(true);
  await folders.remove("same");
  await folders.remove("same");
  expect(readdirSync(root)).toEqual([]);
});

test("a sandbox without a folder can't have files or programs", async () => {
  const folders = newFolders(workFolder());
  await expect(folders.writeFile("none", "file", "x")).rejects.toThrow("doesn't exist");
  await expect(folders.holdFile("none", "file")).rejects.toThrow("doesn't exist");
  expect(() => folders.folderOf("none")).toThrow("doesn't exist");
});

test.skipIf(!IS_ROOT)(
  "a folder that can't be removed is reported, doesn't prevent a start, and is removed at a later start",
  async () => {
    const root = workFolder();
    const folders = newFolders(root);
    await folders.makeFolder("busy");
    const { home } = folders.folderOf("busy");
    execFileSync("mount", ["-t", "tmpfs", "none", home]);
    await folders.remove("busy");
    expect(stuck.splice(0)).toEqual([join(root, "busy")]);
    await prepareRoot(root, onStuck);
    expect(stuck.splice(0)).toEqual([join(root, "busy")]);
    expect(readdirSync(root)).toEqual(["stuck-busy"]);
    execFileSync("umount", [join(root, "stuck-busy", "home")]);
    await prepareRoot(root, onStuck);
    expect(readdirSync(root)).toEqual([]);
    expect(stuck).toEqual([]);
  },
);

test("paths longer than the kernel accepts in one call are removed", async () => {
  const root = workFolder();
  const folders = newFolders(root);
  await folders.makeFolder("deep");
  const { home } = folders.folderOf("deep");
  // 30 × 200 bytes is longer than PATH_MAX, so only relative paths can reach the innermost folder.
  const dig = 'for (let n = 0; n < 30; n++) { fs.mkdirSync("x".repeat(200)); process.chdir("x".repeat(200)); }';
  execFileSync(process.execPath, ["-e", dig], { cwd: home });
  await folders.remove("deep");
  expect(readdirSync(root)).toEqual([]);
  expect(stuck).toEqual([]);
});
