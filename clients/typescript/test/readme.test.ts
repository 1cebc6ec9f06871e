import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ERROR_CLASSES } from "../src/generated/error-classes.ts";
import { OPEN_OPTIONS, SUPPORTED_BROWSER } from "../src/generated/options.ts";
import { VERSION } from "../src/generated/version.ts";
import { readError } from "../src/read-error.ts";
import { RETRY_RULES } from "../src/retry-rules.ts";
import { failureStatus } from "../../../openapi/generated/operations.ts";

const README = readFileSync(new URL("../README.md", import.meta.url), "utf8");

/** Returns the cells of each row in the table with this heading. */
function tableOf(...heading: string[]): string[][] {
  const [, rows = ""] = README.split(`| ${heading.join(" | ")} |\n`);
  return rows
    .split("\n")
    .slice(1)
    .slice(0, rows.split("\n").findIndex((line) => line === "") - 1)
    .map((row) => row.split(" | ").map((cell) => cell.replaceAll(/^\| | \|$|`/g, "")));
}

test("the README lists every error with its class, status and retry rule", () => {
  const rows = tableOf("Class", "`status`", "`name`", "Retried");
  const expected = Object.entries(failureStatus).map(([name, status]) => {
    const answer = { error: { status, name, message: "m", requestId: "r" }, response: new Response(null, { status }) };
    const { constructor } = readError(answer, { token: "t", url: "http://h" }).error;
    const rule = RETRY_RULES[name as keyof typeof RETRY_RULES];
    return [constructor.name, String(status), name, rule === "never" ? "no" : rule];
  });
  expect(expected).toHaveLength(ERROR_CLASSES.size);
  expect(rows.map(([name = "", ...others]) => [name.split(" ")[0], ...others])).toStrictEqual(expected);
});

test("the README lists every option and every kind of browser", () => {
  const rows = tableOf("Option", "Unit or form", "Default");
  expect(rows.map(([name = ""]) => name).toSorted()).toStrictEqual(Object.keys(OPEN_OPTIONS).toSorted());
  for (const [name, number] of Object.entries(SUPPORTED_BROWSER)) {
    expect(README).toContain(`"${name}"`);
    expect(README).toMatch(new RegExp(`number [\\d, ]*\\b${number}\\b`));
  }
});

test("the README installs the tarball of this version", () => {
  expect(README).toContain(`remote-browser-client-${VERSION}.tgz`);
});
