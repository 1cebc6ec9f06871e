import type { Fault, Mutant } from "../mutant.ts";
import { onHosted, onLaterClient, onSwitches } from "./hosts.ts";
import { understandAs } from "./open-options.ts";

const LANGUAGE = "--lang=";
const TIME_ZONE = "--time-zone-for-testing=";
const SCALE = "--force-device-scale-factor=";

/** Height of tabs and address bar, in CSS pixels. */
const FRAME_HEIGHT = 87;

/** A browser without this switch. */
function without(start: string): Fault {
  return onSwitches((switches) => switches.filter((each) => !each.startsWith(start)));
}

/** A browser with this switch if it has none of its kind. */
function byDefault(start: string, value: string): Fault {
  return onSwitches((switches) =>
    switches.some((each) => each.startsWith(start)) ? switches : [...switches, `${start}${value}`],
  );
}

/** A browser in which other switches say the language. */
function saying(toSwitches: (language: string) => readonly string[]): Fault {
  return onSwitches((switches) =>
    switches.flatMap((each) => (each.startsWith(LANGUAGE) ? toSwitches(each.slice(LANGUAGE.length)) : each)),
  );
}

const ignoreSize = async (): Promise<void> => {};

/** What pages see of a browser's screen, language and time zone. */
export const PAGE_LOOK_MUTANTS: readonly Mutant[] = [
  {
    id: "page-size-headless",
    title: "The pages of headless browsers have their usual size, whatever the screen's",
    killedBy: ["RBS-SCREEN-01"],
    browsers: "real",
    fault: () => onHosted((_, { isHeadless }) => (isHeadless ? { resizePage: ignoreSize } : {})),
  },
  {
    id: "page-size-of-shell",
    title: "The pages of headless shells have their usual size, whatever the screen's",
    killedBy: ["RBS-SCREEN-01"],
    browsers: "real",
    fault: () => onHosted((_, { kind }) => (kind === "chrome-headless-shell" ? { resizePage: ignoreSize } : {})),
  },
  {
    id: "page-size-graphical",
    title: "The pages of graphical browsers have their usual size, whatever the screen's",
    killedBy: ["RBS-SCREEN-02"],
    browsers: "real",
    fault: () => onHosted((_, { isHeadless }) => (isHeadless ? {} : { resizePage: ignoreSize })),
  },
  {
    id: "page-size-of-window",
    title: "The window has the size of the screen, and the page is lower by the tabs and the address bar",
    killedBy: ["RBS-SCREEN-01", "RBS-SCREEN-02"],
    browsers: "real",
    fault: () =>
      onHosted((browser) => ({
        resizePage: ({ width, height }, signal) => browser.resizePage({ width, height: height - FRAME_HEIGHT }, signal),
      })),
  },
  {
    id: "page-size-for-first-client",
    title: "Only the first client sees the size of the screen",
    killedBy: ["RBS-SCREEN-01", "RBS-SCREEN-02"],
    browsers: "real",
    fault: () => onLaterClient((browser, signal) => browser.resizePage({ width: 800, height: 600 }, signal)),
  },
  {
    id: "page-scale-ignored",
    title: "The screen's scale is checked, but pages always have a scale of 1",
    killedBy: ["RBS-SCREEN-02"],
    browsers: "real",
    fault: () => without(SCALE),
  },
  {
    id: "page-language-ignored",
    title: "The language is checked, but pages always see en-US",
    killedBy: ["RBS-LANGUAGE-01", "RBS-ZONE-01"],
    browsers: "real",
    fault: () => without(LANGUAGE),
  },
  {
    id: "page-language-without-formats",
    title: "navigator.language has the language, but numbers have the formats of en-US",
    killedBy: ["RBS-LANGUAGE-01"],
    browsers: "real",
    fault: () => saying((language) => [`${LANGUAGE}en-US`, `--accept-lang=${language}`]),
  },
  {
    id: "page-language-only-formats",
    title: "Numbers have the formats of the language, but navigator.language is en-US",
    killedBy: ["RBS-LANGUAGE-01"],
    browsers: "real",
    fault: () => saying((language) => [`${LANGUAGE}${language}`, "--accept-lang=en-US,en"]),
  },
  {
    id: "page-language-of-operator",
    title: "Without a language, pages see the operator's",
    killedBy: ["RBS-LANGUAGE-04"],
    browsers: "real",
    fault: () => byDefault(LANGUAGE, "de-DE"),
  },
  {
    id: "page-language-null",
    title: "A language of null means de-DE",
    killedBy: ["RBS-LANGUAGE-04"],
    browsers: "real",
    fault: () =>
      understandAs((options) => (options["Language"] === null ? { ...options, Language: "de-DE" } : options)),
  },
  {
    id: "page-zone-ignored",
    title: "The time zone is checked, but pages always see UTC",
    killedBy: ["RBS-ZONE-01"],
    browsers: "real",
    fault: () => without(TIME_ZONE),
  },
  {
    id: "page-zone-of-operator",
    title: "Without a time zone, pages see the operator's",
    killedBy: ["RBS-ZONE-04"],
    browsers: "real",
    fault: () => byDefault(TIME_ZONE, "Europe/Berlin"),
  },
  {
    id: "page-zone-null",
    title: "A time zone of null means Europe/Berlin",
    killedBy: ["RBS-ZONE-04"],
    browsers: "real",
    fault: () =>
      understandAs((options) => (options["TimeZone"] === null ? { ...options, TimeZone: "Europe/Berlin" } : options)),
  },
];
