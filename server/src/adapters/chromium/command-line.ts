import type { BrowserSpec } from "../../ports/browser-host.ts";
import { fixedSwitches, removableSwitches } from "./default-switches.ts";
import { toDimensions } from "./screen.ts";
import { nameOf } from "./switch-of.ts";

/** Switches whose values are lists that add up, where Chromium itself would keep only the last one. */
const LISTS = new Set([
  "--disable-features",
  "--enable-features",
  "--disable-blink-features",
  "--enable-blink-features",
  "--blink-settings",
]);

/** Anything else could change how Chromium reads what stands behind it: after `--`, nothing is a switch. */
const SWITCH = /^--[a-z0-9][^=]*(?:=.*)?$/is;

type Place = Parameters<typeof fixedSwitches>[1];

/**
 * The arguments a browser is started with: the defaults without the ignored ones, the client's own in their place or
 * after them, and last, so that they win, those that nothing replaces.
 * @throws {Error} When one of the client's is no switch at all; what they may be was checked before.
 */
export function toArguments(
  spec: Pick<BrowserSpec, "kind" | "isHeadless" | "isStealthy" | "switches" | "ignoredSwitches">,
  place: Place,
  userAgent: string | undefined,
): string[] {
  const strange = spec.switches.find((given) => !SWITCH.test(given));
  if (strange !== undefined) throw new Error(`${JSON.stringify(strange)} is no switch.`);
  const ignored = new Set(spec.ignoredSwitches.map(nameOf));
  const merged = new Map<string, string>();
  for (const given of [
    ...removableSwitches(spec, place.screen, userAgent).filter((each) => !ignored.has(nameOf(each))),
    ...spec.switches,
  ]) {
    const name = nameOf(given);
    const known = merged.get(name);
    merged.set(name, known !== undefined && LISTS.has(name) ? `${known},${given.slice(name.length + 1)}` : given);
  }
  if (merged.has("--window-size")) {
    const { window } = toDimensions(spec, place.screen);
    merged.set("--window-size", `--window-size=${window.width},${window.height}`);
  }
  return [...merged.values(), ...fixedSwitches(spec, place), "about:blank"];
}
