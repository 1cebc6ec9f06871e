import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { canUseOwnUsers } from "./status.ts";

test.each([
  ["root", "0", "000001ffffffffff", 2 ** 32 - 1, { sandbox: true, none: true }],
  ["root in a container", "0", "00000000a80425fb", 2 ** 32 - 1, { sandbox: false, none: true }],
  ["root in a container with few users", "0", "000001ffffffffff", 65_536, { sandbox: false, none: false }],
  ["another user", "1000", "0000000000000000", 2 ** 32 - 1, { sandbox: false, none: false }],
])("%s", (_, uid, capabilities, users, expected) => {
  const root = mkdtempSync(join(tmpdir(), "rbs-users-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, "proc/self"), { recursive: true });
  writeFileSync(join(root, "proc/self/status"), `Name:\tnode\nUid:\t${uid}\t${uid}\nCapPrm:\t${capabilities}\n`);
  writeFileSync(join(root, "proc/self/uid_map"), `         0          0 ${users}\n`);
  expect({ sandbox: canUseOwnUsers("sandbox", root), none: canUseOwnUsers("none", root) }).toEqual(expected);
});
