import type { BrowserSpec } from "../../../ports/browser-host.ts";
import { fixedSwitches, removableSwitches } from "./default-switches.ts";
import { nameOf } from "./switch-of.ts";
import { toDimensions } from "./window.ts";

/** Switches whose values are lists. Chromium uses only the last switch with a given name, so the lists are joined. */
const LISTS = new Set([
  "--disable-features",
  "--enable-features",
  "--disable-blink-features",
  "--enable-blink-features",
  "--blink-settings",
]);

/** Other arguments could change how later arguments are read: after `--`, Chromium ignores switches. */
const SWITCH = /^--[a-z0-9][^=]*(?:=.*)?$/is;

type Paths = Parameters<typeof fixedSwitches>[1];

/**
 * Returns a browser's arguments: the defaults, except those that the client ignores; the client's own switches, which
 * replace defaults of the same name; and finally the fixed switches, which override all others.
 * @throws {Error} If a client argument isn't a switch, which the caller should have checked.
 */
export function toArguments(
  spec: Pick<BrowserSpec, "kind" | "isHeadless" | "isStealthy" | "switches" | "ignoredSwitches" | "hasWebGl">,
  paths: Paths,
  userAgent: string | undefined,
): string[] {
  const bad = spec.switches.find((given) => !SWITCH.test(given));
  if (bad !== undefined) throw new Error(`${JSON.stringify(bad)} is not a switch.`);
  const ignored = new Set(spec.ignoredSwitches.map(nameOf));
  const merged = new Map<string, string>();
  for (const given of [
    ...removableSwitches(spec, paths.screen, userAgent).filter((each) => !ignored.has(nameOf(each))),
    ...spec.switches,
  ]) {
    const name = nameOf(given);
    const known = merged.get(name);
    merged.set(name, known !== undefined && LISTS.has(name) ? `${known},${given.slice(name.length + 1)}` : given);
  }
  if (merged.has("--window-size")) {
    const { window } = toDimensions(spec, paths.screen);
    merged.set("--window-size", `--window-size=${window.width},${window.height}`);
  }
  return [...merged.values(), ...fixedSwitches(spec, paths), "about:blank"];
}
