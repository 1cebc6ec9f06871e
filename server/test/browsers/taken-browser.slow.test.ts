import { chmod, copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { getuid } from "node:process";
import { expect, test } from "vitest";
import { type Home, openHome } from "../support/servers/home.ts";
import { warm, watchOthers } from "../support/servers/others.ts";
import { type RealServer, startServer } from "../support/servers/real-server.ts";
import { commandLine } from "../support/machine/processes.ts";
import { until } from "../support/until.ts";

const CHROMIUM = "/usr/lib/chromium/chromium";
const PROGRAM = "taken-browser.ts";

/** Number of parallel screenshot requests that the attacker sends, and number of rounds. */
const [PARALLEL, ROUNDS] = [4, 5];
const MAX_MEMORY_BYTES = 500 * 2 ** 20;

/** Starts a server whose Chromium is a hostile program, while its other kind of browser is real. */
async function startTaken(home: Home): Promise<RealServer> {
  const [program, file] = [join(home.folder, PROGRAM), join(home.folder, "chromium")];
  await copyFile(new URL(`../support/browsers/${PROGRAM}`, import.meta.url), program);
  await chmod(program, 0o644);
  await writeFile(file, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  await chmod(file, 0o755);
  // Without isolation, the program can find Node.
  return startServer({ settings: { RBS_ISOLATION: "none", ...warm(1) }, replacedFiles: { [CHROMIUM]: file } }, home);
}

async function readPeakBytes(pid: number): Promise<number> {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, "latin1")) ?? [];
  return Number(kilobytes) * 1024;
}

test.skipIf(getuid?.() !== 0)("a browser process that a page has compromised doesn't affect other users", async () => {
  await using home = await openHome();
  await using server = await startTaken(home);
  const [attacker, other] = [await home.newAccount("attacker@example.com"), await home.newAccount("other@example.com")];
  const address = await server.open({ Browser: 2 }, attacker);
  const finish = watchOthers(server, 1, other);
  for (let round = 0; round < ROUNDS; round += 1) {
    const taken = Array.from({ length: PARALLEL }, () => server.post("Screenshot", { address }, attacker));
    for (const answer of await Promise.all(taken)) expect(answer).toMatchObject({ status: 503 });
  }
  await finish();
  expect(await readPeakBytes(server.pid)).toBeLessThan(MAX_MEMORY_BYTES);
  await server.close(address, attacker);
  await until(
    () => server.processes().filter((one) => commandLine(one).includes(PROGRAM)),
    ({ length }) => length === 0,
  );
  expect(await server.addresses(attacker)).toEqual([]);
});
