import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { canUseOwnUsers } from "./own-users.ts";

test.each([
  ["root", "0", "000001ffffffffff", { sandbox: true, none: true }],
  ["root in a container", "0", "00000000a80425fb", { sandbox: false, none: true }],
  ["another user", "1000", "0000000000000000", { sandbox: false, none: false }],
])("%s", (_, uid, capabilities, expected) => {
  const root = mkdtempSync(join(tmpdir(), "rbs-users-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, "proc/self"), { recursive: true });
  writeFileSync(join(root, "proc/self/status"), `Name:\tnode\nUid:\t${uid}\t${uid}\nCapEff:\t${capabilities}\n`);
  expect({ sandbox: canUseOwnUsers("sandbox", root), none: canUseOwnUsers("none", root) }).toEqual(expected);
});
