import { mkdtempSync, readFileSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { SHELLS } from "../../../test/support/browsers/browser-rig.ts";
import { type TestSandboxes, newSandboxes, openWorkFolder } from "../../../test/support/browsers/real-host.ts";
import { expectNothingLeft, findBrokerSession } from "../../../test/support/browsers/traces.ts";
import { until } from "../../../test/support/until.ts";
import type { Sandbox, SandboxProcess } from "../../ports/sandboxes.ts";

const MIB = 2 ** 20;
const LIMITS = { memoryBytes: 256 * MIB, diskBytes: 512 * MIB, areFilesOnDisk: true };

/** Maximum that other programs may write to the same disk during a test. */
const NOISE = 64 * MIB;

let folder: ReturnType<typeof openWorkFolder>;

afterEach(async () => {
  // Loop devices must be released. The image files themselves have no name, so a folder listing can't show them.
  await until(findImages, (images) => images.length === 0, 5000);
  folder[Symbol.dispose]();
});

function openSandboxes(limits = LIMITS): Promise<TestSandboxes> {
  folder = openWorkFolder();
  return newSandboxes("sandbox", folder.path, SHELLS, limits);
}

/** Returns the loop devices whose files are in the test's folder. */
function findImages(): string[] {
  return readdirSync("/sys/block").filter((device) => {
    try {
      return readFileSync(`/sys/block/${device}/loop/backing_file`, "utf8").startsWith(folder.path);
    } catch {
      return false;
    }
  });
}

function readFree(): number {
  const { bavail, bsize } = statfsSync(folder.path);
  return bavail * bsize;
}

function start(sandbox: Sandbox, script: string): Promise<SandboxProcess> {
  return sandbox.run({ name: "sh", arguments: [script], environment: { PATH: "/usr/bin:/bin" } });
}

test("a program can store more data on disk than its memory limit, up to the size of its disk", async () => {
  await using sandboxes = await openSandboxes();
  await using sandbox = await sandboxes.create("full");
  await sandbox.limitMemory(LIMITS.memoryBytes / 2);
  await using program = await start(sandbox, "yes > /home/browser/x; stat -c 'stored %s' /home/browser/x");
  const [, stored = ""] = await program.output.find(/stored (\d+)/);
  expect(Number(stored)).toBeGreaterThan(LIMITS.diskBytes * 0.9);
  expect(Number(stored)).toBeLessThan(LIMITS.diskBytes);
  expect(sandbox.isOverLimit).toBe(false);
});

test("a sandbox's disk space is reserved when it starts, and freed when it ends", async () => {
  await using sandboxes = await openSandboxes();
  const before = readFree();
  {
    await using sandbox = await sandboxes.create("reserved");
    expect(sandbox.isIsolated).toBe(true);
    expect(before - readFree()).toBeGreaterThan(LIMITS.diskBytes - NOISE);
    expect(findImages()).toHaveLength(1);
  }
  await expectNothingLeft(sandboxes.traces);
  await until(findImages, (images) => images.length === 0);
  expect(before - readFree()).toBeLessThan(NOISE);
});

test("a killed broker leaves nothing on the disk", async () => {
  await using sandboxes = await openSandboxes();
  const sandbox = await sandboxes.create("killed");
  await using program = await start(sandbox, "yes > /home/browser/x; echo full; sleep 100");
  await program.output.find(/full/);
  process.kill(findBrokerSession(process.pid), "SIGKILL");
  await sandboxes.failed;
  expect(readdirSync(folder.path)).toEqual([]);
});

test("a disk without enough space is refused, and the error names the setting to change", async () => {
  await expect(openSandboxes({ ...LIMITS, diskBytes: 2 ** 50 })).rejects.toThrow(
    /^The disk of RBS_WORK_DIR is full: a browser needs 1073741824 MB \(RBS_BROWSER_DISK_MB\) besides the 256 MB/,
  );
});

test("a folder in memory is refused", async () => {
  const path = mkdtempSync("/dev/shm/rbs-work-");
  onTestFinished(() => rmSync(path, { recursive: true }));
  await expect(newSandboxes("sandbox", path, SHELLS, LIMITS)).rejects.toThrow(`${path} is in memory. Set RBS_WORK_DIR`);
});
