import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openWorkFolder } from "../../../test/support/browsers/real-host.ts";
import { ControlGroups } from "./control-groups.ts";

test("counting processes opens no file, because there may be no free descriptor", async () => {
  using folder = openWorkFolder();
  const file = join(folder.path, "pids.current");
  writeFileSync(file, "25\n");
  const groups = new ControlGroups({ version: 2, memory: folder.path, pids: folder.path, cpu: folder.path });
  rmSync(file);
  expect([25, 26].map((tasks) => groups.mayHaveTasks(tasks))).toEqual([true, false]);
  await groups[Symbol.asyncDispose]();
  expect([groups.mayHaveTasks(1), existsSync(folder.path)]).toEqual([false, false]);
});
