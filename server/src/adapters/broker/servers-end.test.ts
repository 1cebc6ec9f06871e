import { spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, readdirSync, statSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { processesAt } from "../../../test/support/browser-rig.ts";
import { PLACES, type Place, isolate, openWorkFolder } from "../../../test/support/real-host.ts";
import { until } from "../../../test/support/until.ts";

const SERVER = fileURLToPath(new URL("../../../test/support/lonely-server.ts", import.meta.url));
const IS_ROOT = process.getuid?.() === 0;
const NOBODY = 65_534;

type Server = { readonly root: string; says(words: string): Promise<string>; kill(): Promise<void> };

function startServer(place: Place, user?: number): Server {
  const folder = openWorkFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const root = folder.path;
  if (user !== undefined) chownSync(root, user, user);
  const child = spawn(process.execPath, [SERVER, place, root, ...(user === undefined ? [] : [String(user)])], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const closed = once(child, "exit");
  return {
    root,
    says: (words) =>
      until(
        () => said,
        (all) => all.includes(words),
      ),
    async kill() {
      child.kill("SIGKILL");
      await closed;
    },
  };
}

async function expectAllDead({ root }: Server): Promise<void> {
  const left = await until(
    () => processesAt(root),
    (processes) => processes.length === 0,
    5000,
  ).catch((error: unknown) => error);
  expect(left).toEqual([]);
}

test.each(PLACES)(
  "browsers in cells that are %s die with a killed server, and the next one removes their folders",
  async (place) => {
    const server = startServer(place);
    await server.says("all open");
    expect(processesAt(server.root).some(({ line }) => line.includes("--type=renderer"))).toBe(true);
    expect(processesAt(server.root).some(({ line }) => line.startsWith("Xvnc "))).toBe(true);
    await server.kill();
    await expectAllDead(server);
    expect(readdirSync(server.root).toSorted()).toEqual(["graphical", "headless"]);
    await isolate(place, server.root).prepare();
    expect(readdirSync(server.root)).toEqual([]);
  },
);

test.each(PLACES)(
  "browsers that were being opened in cells that are %s die with a killed server, too",
  async (place) => {
    await Promise.all(
      [0, 4, 8, 12, 20, 40, 80, 160].map(async (delayMs) => {
        const server = startServer(place);
        await server.says("opening");
        await wait(delayMs);
        await server.kill();
        await expectAllDead(server);
      }),
    );
  },
);

test.skipIf(!IS_ROOT).each(PLACES)(
  "a server that is not root opens browsers in cells that are %s, as its own user",
  async (place) => {
    const server = startServer(place, NOBODY);
    const said = await server.says("all open");
    expect(said.match(/^open: .*Chrome\//gm)?.length).toBe(2);
    for (const name of readdirSync(server.root)) {
      expect(statSync(`${server.root}/${name}`)).toMatchObject({ uid: NOBODY, mode: 0o40700 });
    }
    await server.kill();
    await expectAllDead(server);
  },
);
