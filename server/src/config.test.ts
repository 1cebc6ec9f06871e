import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readConfig } from "./config.ts";

const folder = mkdtempSync(join(tmpdir(), "rbs-config-"));
afterAll(() => rmSync(folder, { recursive: true }));

function planFile(content: unknown): string {
  const file = join(folder, "plans.json");
  writeFileSync(file, JSON.stringify(content));
  return file;
}

test("without settings, a server for this machine only that lets browsers reach public addresses", () => {
  expect(readConfig({ PATH: "/bin" })).toMatchObject({
    host: "127.0.0.1",
    port: 8080,
    publicUrl: undefined,
    egress: "public",
    isolation: "jail",
    rate: undefined,
    drainMs: 0,
  });
});

test("an empty value counts as not set", () => {
  expect(readConfig({ RBS_PORT: "", RBS_PUBLIC_URL: "" })).toMatchObject({ port: 8080, publicUrl: undefined });
});

test("what clients in the same shell are told by is no mistake", () => {
  expect(readConfig({ RBS_URL: "http://127.0.0.1:8080", RBS_TOKEN: "rbs_x" }).port).toBe(8080);
});

test("every mistake is reported, unknown names among them", () => {
  const wrong = {
    RBS_PROT: "8080",
    RBS_PORT: "eighty",
    RBS_PUBLIC_URL: "browsers.example",
    RBS_EGRESS: "private",
    RBS_ORIGINS: "https://a.example, b.example",
    RBS_RATE: "100",
    RBS_PLANS: "/nowhere/plans.json",
  };
  for (const name of Object.keys(wrong)) expect(() => readConfig(wrong)).toThrow(name);
});

test("a mistake names the setting, what it must be and what it is", () => {
  expect(() => readConfig({ RBS_PORT: "99999" })).toThrow(
    'RBS_PORT must be a whole number from 0 to 65535, not "99999"',
  );
  expect(() => readConfig({ RBS_ORIGINS: "foo" })).toThrow(/^RBS_ORIGINS must be origins .*, not "foo"$/);
});

test("a public URL keeps its path and takes nothing behind it", () => {
  expect(readConfig({ RBS_PUBLIC_URL: "https://example.com/eu" }).publicUrl?.href).toBe("https://example.com/eu");
  expect(() => readConfig({ RBS_PUBLIC_URL: "https://example.com/?a=1" })).toThrow(/no query/);
});

test("plans come from a file, beside the one that is always there", () => {
  const RBS_PLANS = planFile({ starter: { parallel: 2, unitsPerMonth: 100, maxLifetimeMinutes: 1.5 }, open: {} });
  const { plans } = readConfig({ RBS_PLANS });
  expect([...plans.keys()]).toEqual(["self-hosted", "starter", "open"]);
  expect(plans.get("starter")).toEqual({ name: "starter", parallel: 2, unitsPerMonth: 100, maxLifetimeMs: 90_000 });
});

test.each([
  [{ "self-hosted": {} }, /self-hosted is taken/],
  [{ starter: { paralel: 2 } }, /paralel/],
  [{ starter: { parallel: 0 } }, /starter parallel/],
  [{ "a b": {} }, /"a b" may have letters/],
])("the plans %j are refused", (content, message) => {
  expect(() => readConfig({ RBS_PLANS: planFile(content) })).toThrow(message);
});
