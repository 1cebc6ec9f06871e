import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { openBrowserRig } from "../../../test/support/browsers/browser-rig.ts";
import { openPage } from "../../../test/support/browsers/devtools-client.ts";
import { drive } from "../../../test/support/browsers/real-host.ts";
import { findExecutables } from "./launch/executables.ts";

const KIND = "chrome-headless-shell";

/**
 * Installs a browser in its own folder. Copies only the program is a copy. The other files, because the program expects
 * them in its own folder.
 */
function install(): Disposable & { readonly path: string; readonly original: string; upgrade(): void } {
  const installed = findExecutables().get(KIND)?.path ?? "";
  const folder = mkdtempSync("/var/tmp/rbs-upgrade-");
  chmodSync(folder, 0o755);
  const path = join(folder, KIND);
  for (const name of readdirSync(dirname(installed)).filter((each) => each !== basename(installed)))
    symlinkSync(join(dirname(installed), name), join(folder, name));
  // Like dpkg.
  const upgrade = (): void => {
    copyFileSync(installed, `${path}.new`);
    renameSync(`${path}.new`, path);
  };
  upgrade();
  return { path, original: installed, upgrade, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}

test("after an upgrade, open browsers keep running, and new browsers use the new version", async () => {
  using installed = install();
  const { path, original } = installed;
  const executables = new Map([[KIND, { path, reads: [dirname(path), dirname(original)] }]] as const);
  await using rig = await openBrowserRig("sandbox", { executables, spares: 1 });
  await using old = await rig.open({ kind: KIND });
  await using client = await drive(old);
  installed.upgrade();
  await using next = await rig.open({ kind: KIND });
  expect([old, next].map((browser) => browser.isOutdated())).toEqual([true, false]);
  const main = rig.processes().filter(({ line }) => line.startsWith(`${path} `) && !line.includes("--type="));
  const programs = main.map(({ pid }) => readlinkSync(`/proc/${pid}/exe`));
  expect(programs.filter((program) => program.endsWith(" (deleted)"))).toHaveLength(1);
  expect(programs).toHaveLength(2);
  const evaluate = await openPage(client, "data:text/html,<title>a new process</title>");
  expect(await evaluate("document.title")).toBe("a new process");
});
