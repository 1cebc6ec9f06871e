import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { BROWSER_FILES, SYSTEM_PARTS } from "./system-parts.mjs";

test("the set-up looks for browsers at the same paths as the server", () => {
  const server = new URL("../../server/src/adapters/chromium/launch/executables.ts", import.meta.url);
  const places = [...readFileSync(server, "utf8").matchAll(/"(\/[^"]+\/(?:chrom|headless)[^"]*)"/g)].map(
    ([, path]) => path,
  );
  const browsers = places.filter((path) => path !== "/opt/google/chrome/chrome");
  expect(browsers).toStrictEqual([...BROWSER_FILES.chromium, ...BROWSER_FILES.headlessShell]);
});

test("every part has a Debian package and a description", () => {
  for (const { packages, why } of SYSTEM_PARTS) {
    expect(packages.debian).toMatch(/^[a-z0-9.+-]+( [a-z0-9.+-]+)*$/);
    expect(why).not.toBe("");
  }
});

test.each(["Dockerfile", "debian/control"])("deploy/%s lists all fonts that the set-up installs", (name) => {
  const text = readFileSync(new URL(`../../deploy/${name}`, import.meta.url), "utf8");
  const fonts = SYSTEM_PARTS.flatMap(({ packages }) => packages.debian.match(/\bfonts-\S+/g) ?? []);
  expect(fonts.filter((font) => !text.match(/fonts-[a-z-]+/g)?.includes(font))).toEqual([]);
});
