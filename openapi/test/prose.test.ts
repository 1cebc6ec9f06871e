import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { failureStatus } from "../generated/operations.ts";
import { readContract, readText, ROOT } from "./read-contract.ts";

const { info } = readContract();

test("the error table in the introduction matches the schemas", () => {
  const rows = [...info.description.matchAll(/^\| `(\w+)` \| (\d{3}) \|/gm)];
  expect(Object.fromEntries(rows.map(([, name, status]) => [name, Number(status)]))).toEqual(failureStatus);
});

test("the contract is written in block style", () => {
  // A flow collection follows a key or a dash. Empty collections have no block form, and code in prose is not YAML.
  const files = readdirSync(ROOT, { recursive: true, encoding: "utf8" }).filter((file) =>
    /^(openapi|(paths|schemas|components)\/.*)\.yaml$/.test(file),
  );
  expect(files.length).toBeGreaterThan(15);
  const flow = files
    .flatMap((file) => readText(file).split("\n"))
    .filter((line) => /^\s*(- )?[\w"-]+: [[{]./.test(line) || /^\s*- [[{]./.test(line))
    .filter((line) => !/ (\{\}|\[\])$|,$/.test(line));
  expect(flow).toEqual([]);
});
