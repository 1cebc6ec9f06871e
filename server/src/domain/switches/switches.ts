import { Failure } from "../failure.ts";
import { findSwitchRule, PROTECTING } from "./switch-table.ts";
import { quote } from "./switch-values.ts";

/** The contract's limit, repeated for callers that don't validate their input. */
const MAX_LENGTH = 4096;
/** The first page of every browser. Puppeteer adds this URL to its arguments. */
const FIRST_PAGE = "about:blank";
const NAME = /^--[a-z0-9][a-z0-9-]*$/;

type Read = { readonly name: string; readonly value?: string; readonly isList?: boolean } | "dropped";

/**
 * Checks the arguments of an Open request against the allow-list.
 * @returns The switches for the command line, without duplicates, as `--name` or `--name=value`. The last value of a
 * repeated switch takes precedence, but lists are combined. Omits switches that have no effect.
 * @throws {Failure} `BadRequest` that lists all refused arguments. Paths are relative to the array.
 */
export function readSwitches(args: readonly string[]): string[] {
  const switches = new Map<string, string | undefined>();
  readEach(args, readSwitch, (read) => {
    if (read === "dropped") return;
    const { name, value, isList = false } = read;
    const known = switches.get(name);
    if (isList && value === "") return;
    switches.set(name, isList && known !== undefined ? `${known},${value}` : value);
  });
  return Array.from(switches, ([name, value]) => (value === undefined ? name : `${name}=${value}`));
}

/**
 * Parses the names of default arguments that an Open request removes. Dashes are optional, and values are ignored.
 * Unknown names are allowed, so that lists written for other browsers or other versions of this service work.
 * @returns The names, with leading dashes and without duplicates.
 * @throws {Failure} `BadRequest` that lists protected names and entries that aren't switches. The errors' paths are
 * relative to the array.
 */
export function readIgnoredSwitches(names: readonly string[]): string[] {
  const switches = new Set<string>();
  readEach(names, readIgnored, (name) => switches.add(name));
  return [...switches];
}

class Refused extends Error {}

function readEach<T>(texts: readonly string[], read: (text: string) => T, add: (read: T) => void): void {
  const errors: { path: string; message: string }[] = [];
  for (const [index, text] of texts.entries()) {
    try {
      add(read(text));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      errors.push({ path: `/${index}`, message: error.message });
    }
  }
  const [only] = errors;
  if (only === undefined) return;
  const message =
    errors.length === 1
      ? `The argument ${only.message}.`
      : `These arguments are refused. ${errors.map(({ message: each }) => `${each}.`).join(" ")}`;
  throw new Failure("BadRequest", message, { errors });
}

function readSwitch(text: string): Read {
  if (text === FIRST_PAGE) return "dropped";
  const { name, value } = split(text);
  const verdict = findSwitchRule(name);
  if (verdict.is === "refused") throw new Refused(`${name} is not allowed: ${verdict.reason}`);
  if (verdict.is === "without effect") return "dropped";
  const [, type] = verdict.row;
  if (type === undefined) {
    if (value !== undefined && value !== "") throw new Refused(`${name} is not valid: it takes no value`);
    return { name };
  }
  const isList = type.isList === true;
  if (value === undefined || (value === "" && !isList)) {
    throw new Refused(`${name} is not valid: it needs a value, ${type.form}`);
  }
  const read = type.read(value);
  if ("problem" in read) throw new Refused(`${name} is not valid: ${read.problem}`);
  return { name, value: read.value, isList };
}

function readIgnored(text: string): string {
  const { name } = split(text.startsWith("-") ? text : `--${text}`);
  const reason = PROTECTING.get(name);
  if (reason !== undefined) throw new Refused(`${name} can't be omitted: ${reason}`);
  return name;
}

/** @throws {Refused} If the text isn't `--name` or `--name=value`. Chromium also accepts a single dash and spaces. */
function split(text: string): { name: string; value: string | undefined } {
  if (text.length > MAX_LENGTH)
    throw new Refused(`${quote(text)} is not valid: it is longer than ${MAX_LENGTH} characters`);
  const at = text.indexOf("=");
  const name = at < 0 ? text : text.slice(0, at);
  if (NAME.test(name)) return { name, value: at < 0 ? undefined : text.slice(at + 1) };
  const lower = `--${name.trim().replace(/^-+/, "").toLowerCase().replaceAll("_", "-")}`;
  if (text.trim().startsWith("-") && NAME.test(lower)) {
    throw new Refused(`${quote(name)} is not valid: write it ${lower}`);
  }
  // The value of a mistyped switch may be a secret.
  const shown = text.startsWith("-") ? name : text;
  throw new Refused(
    `${quote(shown)} is not allowed: arguments are switches, --name or --name=value; open pages over DevTools`,
  );
}
