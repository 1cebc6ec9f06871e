import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openWorkFolder } from "../../../test/support/browsers/real-host.ts";
import { newMemoryStorage } from "./memory-folders.ts";

test("a folder in which nothing can be mounted is removed", async () => {
  using folder = openWorkFolder();
  await expect(newMemoryStorage(Number.NaN).make(join(folder.path, "box"))).rejects.toThrow("mount");
  expect(readdirSync(folder.path)).toEqual([]);
});
