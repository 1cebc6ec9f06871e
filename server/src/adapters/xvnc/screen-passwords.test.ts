import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openSandboxRig } from "../../../test/support/browsers/browser-rig.ts";
import { ScreenPasswords, toPasswordFile } from "./screen-passwords.ts";

const PASSWORDS = { full: "password", viewOnly: "k7Rw2xQp" };

test("passwords are obfuscated in vncpasswd's format", () => {
  // Output of `vncpasswd -f` for "password".
  expect(toPasswordFile(PASSWORDS).subarray(0, 8).toString("hex")).toBe("dbd83cfd727a1458");
  expect(toPasswordFile({ full: "k7Rw2xQp", viewOnly: "password" }).subarray(8).toString("hex")).toBe(
    "dbd83cfd727a1458",
  );
});

test("the file contains the current passwords, and is empty if no passwords are set", async () => {
  await using rig = await openSandboxRig("none");
  await using file = await rig.sandbox.holdFile("passwd");
  const content = (): Buffer => readFileSync(join(rig.folder, "passwd"));
  const passwords = new ScreenPasswords(file, () => "");
  expect(content()).toEqual(Buffer.alloc(0));
  await passwords.set(PASSWORDS);
  await passwords.set(PASSWORDS);
  expect(content()).toEqual(toPasswordFile(PASSWORDS));
  await passwords.set(undefined);
  expect(content()).toEqual(Buffer.alloc(0));
});
