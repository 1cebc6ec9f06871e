import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ConfigError } from "../config-error.ts";
import { readExpectedFailures } from "./expected-failures.ts";

const IDS = ["RBS-OPEN-01", "RBS-CLOSE-02"] as const;

async function read(text: string) {
  await using folder = await mkdtempDisposable(join(tmpdir(), "conformance-"));
  const path = join(folder.path, "expected.json");
  await writeFile(path, text);
  return await readExpectedFailures(path, IDS);
}

test("a file maps rules to reasons", async () => {
  const expected = await read('{ "RBS-CLOSE-02": "Ticket 12" }');
  expect([...expected]).toEqual([["RBS-CLOSE-02", "Ticket 12"]]);
});

test("all mistakes are reported together", async () => {
  const reading = read('{ "RBS-OPEN-99": "x", "RBS-OPEN-01": " ", "RBS-CLOSE-02": 3 }');
  await expect(reading).rejects.toThrow(
    /RBS-OPEN-99: this rule does not exist.\n.*RBS-OPEN-01: the reason is empty.*\n.*not 3/,
  );
});

test("a misspelled rule id produces a suggestion", async () => {
  await expect(read('{ "rbs-open-1": "x" }')).rejects.toThrow("did you mean RBS-OPEN-01?");
});

test("a repeated rule is rejected", async () => {
  await expect(read('{ "RBS-OPEN-01": "a", "RBS-OPEN-01": "b" }')).rejects.toThrow("more than once");
});

test.each(["", "{", "RBS-OPEN-01"])("%o is not JSON, and the message shows the format", async (text) => {
  await expect(read(text)).rejects.toThrow(/is not JSON .* The file must look like/);
});

test.each(["[]", "null", '"RBS-OPEN-01"'])("%s is not an object", async (text) => {
  await expect(read(text)).rejects.toThrow("does not contain a JSON object");
});

test("a missing file is reported with its path", async () => {
  const reading = readExpectedFailures("/nowhere/expected.json", IDS);
  await expect(reading).rejects.toThrow("/nowhere/expected.json does not exist.");
  await expect(reading).rejects.toBeInstanceOf(ConfigError);
});
