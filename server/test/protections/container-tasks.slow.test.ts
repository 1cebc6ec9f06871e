import { chownSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findParents } from "../../src/adapters/broker/group-tree.ts";
import { connectDevtools, openPage } from "../support/browsers/devtools-client.ts";
import { openHome } from "../support/servers/home.ts";
import { warm, watchOthers } from "../support/servers/others.ts";
import { startServer } from "../support/servers/real-server.ts";
import { until } from "../support/until.ts";

const SHELL = { Browser: 3 };
/** Limit on the container's processes and threads: enough for three mostly idle browsers. */
const TASKS = 600;
const ORDINARY_UID = 12_345;
const SETTINGS = { ...warm(1), RBS_CAPACITY: "3", RBS_SPARE_SANDBOXES: "0" };

const WORKERS = `const url = URL.createObjectURL(new Blob([""]));
  (async () => { while (true) { new Worker(url); await new Promise((next) => setTimeout(next)); } })()`;

/**
 * Creates a control group that limits processes and threads, like a container's. Programs that this process starts
 * before it calls `leave` belong to the group.
 */
async function openContainer(): Promise<AsyncDisposable & { leave(): void }> {
  const { parents } = await findParents();
  const [, parent = ""] = parents;
  const group = join(parent, `container-${process.pid}`);
  const enter = (folder: string): void => writeFileSync(join(folder, "cgroup.procs"), String(process.pid));
  mkdirSync(group);
  writeFileSync(join(group, "pids.max"), String(TASKS));
  enter(group);
  const read = (): string => readFileSync(join(group, "cgroup.procs"), "latin1");
  return {
    leave: () => enter(parent),
    async [Symbol.asyncDispose]() {
      // Waits until the server and everything that it started have exited.
      await until(read, (processes) => processes === "");
      rmdirSync(group);
    },
  };
}

test("two pages that start threads endlessly can't use up a container's thread limit, and other accounts can open browsers", async () => {
  await using home = await openHome();
  chownSync(home.folder, ORDINARY_UID, ORDINARY_UID);
  await using container = await openContainer();
  // An ordinary user can't create control groups in the container's group.
  await using server = await startServer({ user: ORDINARY_UID, settings: SETTINGS }, home);
  container.leave();
  const attackers = await Promise.all(
    [1, 2].map(async () => {
      const client = await connectDevtools(await server.open(SHELL));
      const evaluate = await openPage(client, "about:blank");
      void evaluate(WORKERS).catch(() => {});
      return client;
    }),
  );
  const expectOthersServed = watchOthers(server, 1);
  const first = await Promise.race(attackers.map(({ closed }) => closed));
  expect(first).toEqual({ code: 1011, reason: "browser closed: memory" });
  await expectOthersServed();
});
