import { expect, test } from "vitest";
import { toDesktopAccess, toPasswords } from "./desktop.ts";

const PASSWORDS = { full: "k7Rw2xQp", viewOnly: "m3Tz9bVc" };

test.each([
  ["http://127.0.0.1:8080/", "http://127.0.0.1:8080/desktop/key#k7Rw2xQp", "ws://127.0.0.1:8080/desktop/key/rfb"],
  ["https://eu.example/rbs/", "https://eu.example/rbs/desktop/key#k7Rw2xQp", "wss://eu.example/rbs/desktop/key/rfb"],
  ["https://eu.example/rbs", "https://eu.example/rbs/desktop/key#k7Rw2xQp", "wss://eu.example/rbs/desktop/key/rfb"],
])("a desktop's URLs begin with %s", (base, url, rfbUrl) => {
  expect(toDesktopAccess(new URL(base), "key", PASSWORDS)).toEqual({ passwords: PASSWORDS, url, rfbUrl });
});

test("passwords have 8 characters that are hard to confuse", () => {
  for (const last of [0, 1]) {
    const { full, viewOnly } = toPasswords(counter(last));
    for (const password of [full, viewOnly]) expect(password).toMatch(/^[2-9A-HJ-NP-Za-km-z]{8}$/);
  }
});

test("the view-only password always differs from the full password", () => {
  const drawn = [...Array<number>(16).fill(3), ...Array<number>(8).fill(4)];
  const { full, viewOnly } = toPasswords(() => drawn.shift() ?? 0);
  expect([full, viewOnly]).toEqual(["55555555", "66666666"]);
});

/** Returns a fake random generator that draws all numbers in order, starting with the first or the last. */
function counter(fromLast: number): (below: number) => number {
  let drawn = 0;
  return (below) => {
    drawn += 1;
    return fromLast === 0 ? drawn % below : below - 1 - (drawn % below);
  };
}
