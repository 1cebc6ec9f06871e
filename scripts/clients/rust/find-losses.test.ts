import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Contract } from "../../../openapi/scripts/contract.ts";
import { findLosses } from "./find-losses.ts";

const contract = JSON.parse(
  readFileSync(new URL("../../../openapi/generated/openapi.json", import.meta.url), "utf8"),
) as Contract;

function lossesOf(source: string): string[] {
  return findLosses(contract, new Map([["src/lib.rs", source]]));
}

const OPEN =
  "pub async fn open_browser(configuration: &Configuration, open_options: Option<models::OpenOptions>) -> X {}\n";
const PROXY = `pub struct Proxy {
    #[serde(rename = "Host")]
    pub host: String,
    /// Its port.
    #[serde(rename = "Port")]
    pub port: String,
    #[serde(rename = "Username", skip_serializing_if = "Option::is_none")]
    pub username: Option<Option<String>>,
    #[serde(rename = "Password", skip_serializing_if = "Option::is_none")]
    pub password: Option<Option<String>>,
}
`;

test("a struct with only correctly typed members has no losses", () => {
  expect(lossesOf(PROXY).filter((loss) => loss.includes("Proxy"))).toStrictEqual([]);
});

test.each([
  ["pub port: String", "pub port: i32", "Proxy has Port as i32"],
  ["pub port: String", "pub port: Option<String>", "Proxy has Port as Option<String>"],
  ["Option<Option<String>>", "Option<String>", "Proxy has Username as Option<String>"],
  ['rename = "Host"', 'rename = "Hosts"', "Proxy has no field for Host."],
  ["pub struct Proxy", "pub struct Prox", "The schema Proxy has no struct."],
])("%j instead of %j is a loss", (sound, broken, loss) => {
  expect(lossesOf(PROXY.replace(sound, broken)).join("\n")).toContain(loss);
});

test("an operation that lacks its function, body or errors is reported as a loss", () => {
  expect(lossesOf("")).toContain("The operation openBrowser has no function.");
  const errors = (...names: string[]): string =>
    `pub enum OpenBrowserError {\n${names.map((name) => `    Status(models::${name}Error),\n`).join("")}}\n`;
  expect(lossesOf(OPEN + errors("NoUnits"))).toContain("The operation openBrowser can't fail with NoSubscription.");
  expect(lossesOf(OPEN + errors("NoUnits"))).not.toContain("The operation openBrowser can't fail with NoUnits.");
  expect(lossesOf(OPEN.replace(/Option<(.*?)>/, "$1"))).toContain(
    "The operation openBrowser does not take Option<models::OpenOptions>.",
  );
});

test("an enum that lacks one of its values is reported as a loss", () => {
  const losses = lossesOf("pub enum SupportedBrowser {\n    Chrome = 0,\n    Chromium = 2,\n}\n");
  expect(losses).toContain("SupportedBrowser has no value 3.");
  expect(losses).not.toContain("SupportedBrowser has no value 2.");
});

test("a struct that has lost all its fields is reported", () => {
  expect(lossesOf("pub struct Thing {\n}\n")).toContain("The struct Thing has no fields, so it can't hold any data.");
});
