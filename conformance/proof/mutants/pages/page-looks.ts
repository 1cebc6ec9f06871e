import { type Fault, type Mutant, pageMutant } from "../../mutant.ts";
import { onHosted, onLaterClient, onSwitches } from "../../faults/hosts.ts";
import { onOption } from "../../faults/open-options.ts";

const LANGUAGE = "--lang=";
const TIME_ZONE = "--time-zone-for-testing=";
const SCALE = "--force-device-scale-factor=";

/** Height of tabs and address bar, in CSS pixels. */
const FRAME_HEIGHT = 87;

/** Removes a switch from the command line. */
function without(start: string): Fault {
  return onSwitches((switches) => switches.filter((each) => !each.startsWith(start)));
}

/** Adds a switch unless the command line has one like it. */
function byDefault(start: string, value: string): Fault {
  return onSwitches((switches) =>
    switches.some((each) => each.startsWith(start)) ? switches : [...switches, `${start}${value}`],
  );
}

/** Replaces the switch for the language. */
function saying(toSwitches: (language: string) => readonly string[]): Fault {
  return onSwitches((switches) =>
    switches.flatMap((each) => (each.startsWith(LANGUAGE) ? toSwitches(each.slice(LANGUAGE.length)) : each)),
  );
}

const ignoreSize = async (): Promise<void> => {};

/** What pages see of a browser's screen, language and time zone. */
export const PAGE_LOOK_MUTANTS: readonly Mutant[] = [
  pageMutant("page-size-headless", ["RBS-SCREEN-01"], "Headless browsers ignore the screen's size", () =>
    onHosted((_, { isHeadless }) => (isHeadless ? { resizePage: ignoreSize } : {})),
  ),
  pageMutant("page-size-of-shell", ["RBS-SCREEN-01"], "Headless shells ignore the screen's size", () =>
    onHosted((_, { kind }) => (kind === "chrome-headless-shell" ? { resizePage: ignoreSize } : {})),
  ),
  pageMutant("page-size-graphical", ["RBS-SCREEN-02"], "Graphical browsers ignore the screen's size", () =>
    onHosted((_, { isHeadless }) => (isHeadless ? {} : { resizePage: ignoreSize })),
  ),
  pageMutant("page-size-of-window", ["RBS-SCREEN-01", "RBS-SCREEN-02"], "The window has the screen's size", () =>
    onHosted((browser) => ({
      resizePage: ({ width, height }, signal) => browser.resizePage({ width, height: height - FRAME_HEIGHT }, signal),
    })),
  ),
  pageMutant("page-size-for-first-client", ["RBS-SCREEN-01", "RBS-SCREEN-02"], "Later clients see another size", () =>
    onLaterClient((browser, signal) => browser.resizePage({ width: 800, height: 600 }, signal)),
  ),
  pageMutant("page-scale-ignored", ["RBS-SCREEN-02"], "The screen's scale is checked, but pages always use 1", () =>
    without(SCALE),
  ),
  pageMutant("page-language-ignored", ["RBS-LANGUAGE-01", "RBS-ZONE-01"], "Pages always see the language en-US", () =>
    without(LANGUAGE),
  ),
  pageMutant("page-language-without-formats", ["RBS-LANGUAGE-01"], "Number formats ignore the language", () =>
    saying((language) => [`${LANGUAGE}en-US`, `--accept-lang=${language}`]),
  ),
  pageMutant("page-language-only-formats", ["RBS-LANGUAGE-01"], "navigator.language ignores the language", () =>
    saying((language) => [`${LANGUAGE}${language}`, "--accept-lang=en-US,en"]),
  ),
  pageMutant("page-language-of-operator", ["RBS-LANGUAGE-04"], "Without a language, pages see the operator's", () =>
    byDefault(LANGUAGE, "de-DE"),
  ),
  pageMutant("page-language-null", ["RBS-LANGUAGE-04"], "A language of null means de-DE", () =>
    onOption("Language", (value) => (value === null ? "de-DE" : value)),
  ),
  pageMutant("page-zone-ignored", ["RBS-ZONE-01"], "The time zone is checked, but pages always see UTC", () =>
    without(TIME_ZONE),
  ),
  pageMutant("page-zone-of-operator", ["RBS-ZONE-04"], "Without a time zone, pages see the operator's", () =>
    byDefault(TIME_ZONE, "Europe/Berlin"),
  ),
  pageMutant("page-zone-null", ["RBS-ZONE-04"], "A time zone of null means Europe/Berlin", () =>
    onOption("TimeZone", (value) => (value === null ? "Europe/Berlin" : value)),
  ),
];
