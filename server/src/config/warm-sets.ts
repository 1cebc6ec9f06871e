import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import contract from "@remote-browser/contract/openapi.json" with { type: "json" };
import { Failure } from "../domain/failure.ts";
import { readOpenOptions } from "../domain/browser/open-options.ts";
import { type WarmSet, findRepeated, toSetsOfDefaults, toLaunchOptions } from "../domain/browser/warm-set.ts";
import { type BodyReader, newBodyReader } from "../contract/validation.ts";

const MAX_COUNT = 10_000;

/** Options that a running browser can still be given: each Open brings its own. */
const OF_OPEN = new Set(["Proxy", "KeepOpen", "Label"]);

/** Either spelling of Open's options, and the contract's. */
const SPELLINGS = new Map<string, string>(
  Object.entries(contract.components.schemas.OpenOptions.properties).flatMap(([name, schema]) => [
    [name, name],
    [schema["x-alias"], name],
  ]),
);

type Read = { readonly set: WarmSet } | { readonly mistakes: readonly string[] };

/**
 * Reads which browsers are to stand ready.
 * @param text A number of browsers with Open's default options; or a JSON array of Open's options, each with a `Count`;
 *   or the path of a file with one; empty: the operator leaves it to the server.
 */
export function readWarmSets(text: string): {
  readonly sets: readonly WarmSet[] | undefined;
  readonly mistakes: readonly string[];
} {
  if (text === "") return { sets: undefined, mistakes: [] };
  if (/^\d+$/.test(text) && Number(text) <= MAX_COUNT) {
    return { sets: toSetsOfDefaults(Number(text)), mistakes: [] };
  }
  const json = readJson(text);
  if (!Array.isArray(json)) {
    const wanted = `a whole number from 0 to ${MAX_COUNT}, a JSON array of options, or the path of a file with one`;
    return { sets: undefined, mistakes: [`must be ${wanted}`] };
  }
  const reader = newBodyReader();
  const read = json.map((each: unknown) => readSet(each, reader));
  const sets = read.flatMap((each) => ("set" in each ? [each.set] : []));
  const mistakes = read.flatMap((each, index) =>
    "mistakes" in each ? each.mistakes.map((mistake) => `set ${index + 1}: ${mistake}`) : [],
  );
  // Positions are right once every set could be read.
  const repeated = mistakes.length > 0 ? [] : findRepeated(sets);
  return { sets, mistakes: [...mistakes, ...repeated.map((at) => `set ${at + 1} is the same as one before it`)] };
}

function readSet(given: unknown, reader: BodyReader): Read {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    return { mistakes: ['must be an object of Open\'s options, such as {"Headless": true, "Count": 2}'] };
  }
  const { Count: count, ...options } = given as Readonly<Record<string, unknown>>;
  const mistakes = Object.entries(options).flatMap(([name, value]) => judgeName(name, value) ?? []);
  if (!isCount(count)) mistakes.push(`Count must be a whole number from 1 to ${MAX_COUNT}`);
  try {
    const wire = reader.read("openBrowser", options) ?? {};
    const set = { options: toLaunchOptions(readOpenOptions(wire)), count: Number(count) };
    return mistakes.length > 0 ? { mistakes } : { set };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const wrong = (error.errors ?? []).map(({ path, message }) => `${path.slice(1).replaceAll("/", ".")} ${message}`);
    return { mistakes: [...mistakes, ...wrong] };
  }
}

/** @returns What is wrong with giving this option at all. */
function judgeName(name: string, value: unknown): string | undefined {
  const option = SPELLINGS.get(name);
  if (option === undefined) return `${name} is no option of Open`;
  if (!OF_OPEN.has(option) || value === null) return undefined;
  return `${name} makes no sense here: each Open brings its own, and any warm browser takes it`;
}

function isCount(value: unknown): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= MAX_COUNT;
}

/** Undefined when it is neither JSON nor a file with JSON in it. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text.trimStart().startsWith("[") ? text : readFileSync(resolve(text), "utf8")) as unknown;
  } catch {
    return undefined;
  }
}
