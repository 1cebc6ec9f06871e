import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newSandboxes, openWorkFolder } from "../../../test/support/browsers/real-host.ts";

test("a path too long for Chromium's socket is refused at startup, not when the first browser starts", async () => {
  using folder = openWorkFolder();
  const root = join(folder.path, "x".repeat(40));
  await expect(newSandboxes("none", root, {})).rejects.toThrow(/too long.*RBS_WORK_DIR/);
  expect(existsSync(root)).toBe(false);
});
