import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import contract from "@remote-browser/contract/openapi.json" with { type: "json" };
import { z } from "zod";
import { Failure } from "../domain/failure.ts";
import { readOpenOptions } from "../domain/browser/open-options.ts";
import {
  type WarmSet,
  type WarmSetting,
  findRepeated,
  toSetsOfDefaults,
  toLaunchOptions,
} from "../domain/warm/warm-set.ts";
import { type BodyReader, bodyReader } from "../contract/validation.ts";

const MAX_COUNT = 10_000;

/** The default setting. */
export const AUTO: WarmSetting = { sets: [], isAuto: true };

/** Options that Open applies to a running browser, so each request sets its own values. */
const SET_BY_OPEN = new Set(["Proxy", "KeepOpen", "Label"]);

/** Maps each spelling of an Open option to its name in the contract. */
const SPELLINGS = new Map<string, string>(
  Object.entries(contract.components.schemas.OpenOptions.properties).flatMap(([name, schema]) => [
    [name, name],
    [schema["x-alias"], name],
  ]),
);

/** Reports a mistake. @param option The invalid option; undefined if the whole set is invalid. */
type Report = (message: string, option?: string) => void;

/**
 * Reads the browsers to keep ready: `auto`; a number of browsers with Open's default options; a JSON array whose
 * elements are "auto" or objects with Open's options and a `Count`; or the path of a file with such an array. Issues
 * never repeat a value, because it may contain a proxy's password.
 */
export const warmSets = z.string().transform((text, context): WarmSetting => {
  if (text === "auto") return AUTO;
  if (/^\d+$/.test(text) && Number(text) <= MAX_COUNT) return { sets: toSetsOfDefaults(Number(text)), isAuto: false };
  const json = readJson(text);
  if (!Array.isArray(json)) {
    context.addIssue(
      `must be auto, a whole number from 0 to ${MAX_COUNT}, a JSON array of options, or the path of a file with such an array`,
    );
    return AUTO;
  }
  const reader = bodyReader();
  const addIssue = (index: number, message: string, option?: string): void =>
    context.addIssue({
      code: "custom",
      path: [`set ${index + 1}`, ...(option === undefined ? [] : [option])],
      message,
    });
  const entries = json.map((each: unknown, index) =>
    each === "auto" ? each : readSet(each, reader, (message, option) => addIssue(index, message, option)),
  );
  const valid = entries.filter((entry) => entry !== undefined);
  // Positions in `valid` match positions in the setting only if every set is valid.
  if (valid.length === entries.length) {
    for (const index of findRepeated(valid)) addIssue(index, "is the same as an earlier set");
  }
  return { sets: valid.filter((entry) => entry !== "auto"), isAuto: valid.includes("auto") };
});

/** Reads a set and reports its mistakes. @returns Undefined if the options are invalid. */
function readSet(value: unknown, reader: BodyReader, report: Report): WarmSet | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    report('must be an object of Open\'s options, such as {"Headless": true, "Count": 2}, or "auto"');
    return undefined;
  }
  const { Count: count, ...options } = value as Readonly<Record<string, unknown>>;
  for (const [name, option] of Object.entries(options)) checkName(name, option, report);
  if (!isCount(count)) report(`must be a whole number from 1 to ${MAX_COUNT}`, "Count");
  try {
    const wire = reader.read("openBrowser", options, readOpenOptions) ?? {};
    return { options: toLaunchOptions(readOpenOptions(wire)), count: Number(count) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    for (const { path, message } of error.errors ?? []) report(message, path.slice(1).replaceAll("/", "."));
    return undefined;
  }
}

/** Reports an option that isn't allowed in a warm set. */
function checkName(name: string, value: unknown, report: Report): void {
  const option = SPELLINGS.get(name);
  if (option === undefined) report("is not an option of Open", name);
  else if (SET_BY_OPEN.has(option) && value !== null)
    report("has no effect here: each Open request sets its own value on a warm browser", name);
}

function isCount(value: unknown): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= MAX_COUNT;
}

/** Returns undefined if the text is neither JSON nor the path of a JSON file. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text.trimStart().startsWith("[") ? text : readFileSync(resolve(text), "utf8")) as unknown;
  } catch {
    return undefined;
  }
}
