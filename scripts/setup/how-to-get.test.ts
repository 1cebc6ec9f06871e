import { expect, test } from "vitest";
import { howToGet } from "./system-packages.mjs";
import { SYSTEM_PARTS } from "./system-parts.mjs";

const PARTS = SYSTEM_PARTS.filter(({ name }) => ["Chromium", "socat"].includes(name));

test.each([
  ["Debian", "ID=debian", "As root: apt-get update && apt-get install --yes --no-install-recommends chromium socat"],
  ["a derivative of Debian", 'ID=raspbian\nID_LIKE="debian"', "As root: apt-get update && apt-get install --yes"],
  ["Fedora", "ID=fedora", "As root: dnf install chromium socat"],
  ["a derivative of RHEL", 'ID="rocky"\nID_LIKE="rhel centos fedora"', "As root: dnf install chromium socat"],
  ["Arch", "ID=arch", "As root: pacman -S chromium socat"],
])("%s has its own command", (_name, osRelease, command) => {
  expect(howToGet(PARTS, osRelease)).toContain(command);
});

test("on Ubuntu, the hint for a missing Chromium says that Chromium is a snap", () => {
  const [chromium, socat] = PARTS.map((part) => [part]);
  expect(howToGet(chromium ?? [], "ID=ubuntu\nID_LIKE=debian")).toContain("snap");
  expect(howToGet(socat ?? [], "ID=ubuntu\nID_LIKE=debian")).not.toContain("snap");
});
