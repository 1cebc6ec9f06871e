import { expect, test } from "vitest";
import { toShownPath } from "./path.ts";

test.each([
  ["/api/v1/Browser/Opne?token=secret#part", "/api/v1/Browser/Opne"],
  ["/", "/"],
  ["/a b/<b>/\u0000/☃", "/a%20b/%3Cb%3E/%00/%E2%98%83"],
])("the path of %j is shown without its query, in ASCII", (path, shown) => {
  expect(toShownPath(`http://127.0.0.1:8080${path}`)).toBe(shown);
});

test("a part of a path that may be a secret is not shown", () => {
  const key = "pQ7vK2mXc9RtY4bN8sWzLh3dFj6gTa1e";
  expect(toShownPath(`http://a.example/devtols/browser/${key}`)).toBe("/devtols/browser/…");
  expect(toShownPath(`http://a.example/${key.slice(0, 22)}`)).toBe("/…");
});

test("a path that is too long is cut", () => {
  expect(toShownPath(`http://a.example${"/part".repeat(1000)}`)).toBe(`${"/part".repeat(20)}…`);
});
