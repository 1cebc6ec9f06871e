import { expect, test } from "vitest";
import { toOurPath, toShownPath, withoutPrefix } from "./path.ts";

test.each([
  ["/RBS/API/v1/browser/OPEN", "/api/v1/Browser/Open"],
  ["/Desktop/aKey", "/desktop/aKey"],
  ["/rbs/DESKTOP/aKey/RFB", "/desktop/aKey/rfb"],
  ["/Desktop/assets/1/aFile.js", "/desktop/assets/1/aFile.js"],
  ["/DevTools/Browser/aKey", "/devtools/browser/aKey"],
  ["/Elsewhere/aKey", "/Elsewhere/aKey"],
])("%s means %s: only keys and file names are case-sensitive", (path, ours) => {
  expect(toOurPath(withoutPrefix(path, "/rbs"))).toBe(ours);
});

test.each([
  ["/eu", "/"],
  ["/EU", "/"],
  ["/eu/", "/"],
  ["/eu/dashboard", "/dashboard"],
  ["/europe", "/europe"],
])("removing the prefix /eu from %s results in %s", (path, below) => {
  expect(withoutPrefix(path, "/eu")).toBe(below);
  expect(withoutPrefix(path, "")).toBe(path);
});

test.each([
  ["/api/v1/Browser/Opne?token=secret#part", "/api/v1/Browser/Opne"],
  ["/", "/"],
  ["/a b/<b>/\u0000/☃", "/a%20b/%3Cb%3E/%00/%E2%98%83"],
])("the path of %j is shown without its query, in ASCII", (path, shown) => {
  expect(toShownPath(`http://127.0.0.1:8080${path}`)).toBe(shown);
});

test("path segments that can be secrets are not shown", () => {
  const key = "pQ7vK2mXc9RtY4bN8sWzLh3dFj6gTa1e";
  expect(toShownPath(`http://a.example/devtols/browser/${key}`)).toBe("/devtols/browser/…");
  expect(toShownPath(`http://a.example/${key.slice(0, 22)}`)).toBe("/…");
});

test("a long path is truncated", () => {
  expect(toShownPath(`http://a.example${"/part".repeat(1000)}`)).toBe(`${"/part".repeat(20)}…`);
});
