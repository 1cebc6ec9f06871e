import { expect, test } from "vitest";
import { toNextPage } from "./paths.ts";

const ELSEWHERE = "https://evil.example";

test.each(["/", "/dashboard", "/dashboard/usage?month=2026-11&x=%20", "/reference", "/dashboard/tokens/a-b_c"])(
  "%j is a valid target",
  (path) => expect(toNextPage(path)).toBe(path),
);

test.each([
  undefined,
  "",
  "dashboard",
  "//evil.example",
  "///evil.example",
  "/\\evil.example",
  "\\/evil.example",
  "/.//evil.example",
  "/..//evil.example",
  "/a/..//evil.example",
  "/%2e//evil.example",
  "/%2E%2e//evil.example",
  "/./dashboard",
  "/\t/evil.example",
  "/\n/evil.example",
  "\t//evil.example",
  " //evil.example",
  "/@evil.example",
  "https://evil.example",
  "https:evil.example",
  "javascript:alert(1)",
  "data:text/html,x",
  "/dashboard#https://evil.example",
  "/dashboard\u0000",
  "/dashboard\r\nSet-Cookie: a=b",
  `/${"a".repeat(512)}`,
])("%j is not a valid target", (path) => expect(toNextPage(path)).toBeUndefined());

test.each(["/%2f%2fevil.example", "/%5cevil.example", "/%09/evil.example", "/dashboard?next=//evil.example"])(
  "browsers resolve %j to this site",
  (path) => {
    const next = toNextPage(path) ?? "/";
    expect(new URL(next, "http://here.example").host).toBe("here.example");
    expect(new URL(next, ELSEWHERE).origin).toBe(ELSEWHERE);
  },
);

test("no combination of dangerous characters resolves to another site", () => {
  const parts = ["/", "\\", ".", "..", "%2f", "%2e", "%5c", "evil.example", ":", "@", "a", "?", "\t"];
  const elsewhere: string[] = [];
  for (let number = 0; number < parts.length ** 4; number += 1) {
    const path = [0, 1, 2, 3].map((place) => parts[Math.floor(number / parts.length ** place) % parts.length]).join("");
    const next = toNextPage(`/${path}`);
    if (next !== undefined && new URL(next, "http://here.example").host !== "here.example") elsewhere.push(next);
  }
  expect(elsewhere).toEqual([]);
});
