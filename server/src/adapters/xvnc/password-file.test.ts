import { readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type CellRig, openCellRig } from "../../../test/support/browser-rig.ts";
import { makePasswordFile, toPasswordFile } from "./password-file.ts";

const PASSWORDS = { full: "password", viewOnly: "k7Rw2xQp" };

let rig: CellRig;
let path: string;

beforeEach(async () => {
  rig = await openCellRig("unconfined");
  path = join(rig.cell.folder, "passwd");
});
afterEach(() => rig[Symbol.asyncDispose]());

test("passwords are obscured as vncpasswd does it", () => {
  // What `vncpasswd -f` writes for "password".
  expect(toPasswordFile(PASSWORDS).subarray(0, 8).toString("hex")).toBe("dbd83cfd727a1458");
  expect(toPasswordFile({ full: "k7Rw2xQp", viewOnly: "password" }).subarray(8).toString("hex")).toBe(
    "dbd83cfd727a1458",
  );
});

test("the file is its owner's, empty at first, and empty again when nobody is let in", async () => {
  await using file = await makePasswordFile(rig.cell, "passwd");
  expect([statSync(path).mode & 0o777, readFileSync(path)]).toEqual([0o600, Buffer.alloc(0)]);
  await file.write(PASSWORDS);
  await file.write(PASSWORDS);
  expect(readFileSync(path)).toEqual(toPasswordFile(PASSWORDS));
  await file.write(undefined);
  expect(readFileSync(path)).toEqual(Buffer.alloc(0));
});

test("a link in its place leads nowhere", async () => {
  const victim = join(rig.root, "victim");
  writeFileSync(victim, "precious");
  await using file = await makePasswordFile(rig.cell, "passwd");
  renameSync(path, join(rig.root, "moved"));
  symlinkSync(victim, path);
  await file.write(PASSWORDS);
  await file.write(undefined);
  expect(readFileSync(victim, "utf8")).toBe("precious");
});
