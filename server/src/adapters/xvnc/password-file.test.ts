import { mkdtempSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makePasswordFile, toPasswordFile } from "./password-file.ts";

const PASSWORDS = { full: "password", viewOnly: "k7Rw2xQp" };

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rbs-password-"));
  path = join(folder, "passwd");
});
afterEach(() => rmSync(folder, { recursive: true }));

test("passwords are obscured as vncpasswd does it", () => {
  // What `vncpasswd -f` writes for "password".
  expect(toPasswordFile(PASSWORDS).subarray(0, 8).toString("hex")).toBe("dbd83cfd727a1458");
  expect(toPasswordFile({ full: "k7Rw2xQp", viewOnly: "password" }).subarray(8).toString("hex")).toBe(
    "dbd83cfd727a1458",
  );
});

test("the file is its owner's, empty at first, and empty again when nobody is let in", async () => {
  await using file = await makePasswordFile(path, undefined);
  expect([statSync(path).mode & 0o777, readFileSync(path)]).toEqual([0o600, Buffer.alloc(0)]);
  await file.write(PASSWORDS);
  await file.write(PASSWORDS);
  expect(readFileSync(path)).toEqual(toPasswordFile(PASSWORDS));
  await file.write(undefined);
  expect(readFileSync(path)).toEqual(Buffer.alloc(0));
});

test("a link in its place leads nowhere", async () => {
  const victim = join(folder, "victim");
  writeFileSync(victim, "precious");
  symlinkSync(victim, path);
  await expect(makePasswordFile(path, undefined)).rejects.toThrow("EEXIST");
  rmSync(path);
  await using file = await makePasswordFile(path, undefined);
  renameSync(path, join(folder, "moved"));
  symlinkSync(victim, path);
  await file.write(PASSWORDS);
  await file.write(undefined);
  expect(readFileSync(victim, "utf8")).toBe("precious");
});
