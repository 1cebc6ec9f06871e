import { type Fault, type Mutant, pageMutant } from "../../mutant.ts";
import { onHosted, onLaterClient, onSwitches } from "../../faults/hosts.ts";
import { onOption } from "../../faults/open-options.ts";

const LANGUAGE = "--lang=";
const TIME_ZONE = "--time-zone-for-testing=";
const SCALE = "--force-device-scale-factor=";

/** Height of the tab strip and address bar, in CSS pixels. */
const FRAME_HEIGHT = 87;

/** Removes a switch from the command line. */
function without(start: string): Fault {
  return onSwitches((switches) => switches.filter((each) => !each.startsWith(start)));
}

/** Adds a switch unless the command line already has a switch with the same prefix. */
function byDefault(start: string, value: string): Fault {
  return onSwitches((switches) =>
    switches.some((each) => each.startsWith(start)) ? switches : [...switches, `${start}${value}`],
  );
}

/** Replaces the language switch. */
function saying(toSwitches: (language: string) => readonly string[]): Fault {
  return onSwitches((switches) =>
    switches.flatMap((each) => (each.startsWith(LANGUAGE) ? toSwitches(each.slice(LANGUAGE.length)) : each)),
  );
}

const ignoreSize = async (): Promise<void> => {};

/** Faults in the screen, language and time zone that pages see. */
export const PAGE_LOOK_MUTANTS: readonly Mutant[] = [
  pageMutant("page-size-headless", ["RBS-SCREEN-01"], "Headless browsers ignore the screen size", () =>
    onHosted((_, { isHeadless }) => (isHeadless ? { resizePage: ignoreSize } : {})),
  ),
  pageMutant("page-size-of-shell", ["RBS-SCREEN-01"], "Headless shells ignore the screen size", () =>
    onHosted((_, { kind }) => (kind === "chrome-headless-shell" ? { resizePage: ignoreSize } : {})),
  ),
  pageMutant("page-size-graphical", ["RBS-SCREEN-02"], "Graphical browsers ignore the screen size", () =>
    onHosted((_, { isHeadless }) => (isHeadless ? {} : { resizePage: ignoreSize })),
  ),
  pageMutant("page-size-of-window", ["RBS-SCREEN-01", "RBS-SCREEN-02"], "The screen size applies to the window", () =>
    onHosted((browser) => ({
      resizePage: ({ width, height }, signal) => browser.resizePage({ width, height: height - FRAME_HEIGHT }, signal),
    })),
  ),
  pageMutant("page-size-for-first-client", ["RBS-SCREEN-01", "RBS-SCREEN-02"], "Later clients see the wrong size", () =>
    onLaterClient((browser, signal) => browser.resizePage({ width: 800, height: 600 }, signal)),
  ),
  pageMutant("page-scale-ignored", ["RBS-SCREEN-02"], "The scale is validated, but pages always see a scale of 1", () =>
    without(SCALE),
  ),
  pageMutant("page-language-ignored", ["RBS-LANGUAGE-01", "RBS-ZONE-01", "RBS-SITE-04"], "Pages always see en-US", () =>
    without(LANGUAGE),
  ),
  pageMutant("page-language-without-formats", ["RBS-LANGUAGE-01"], "Number formats ignore the requested language", () =>
    saying((language) => [`${LANGUAGE}en-US`, `--accept-lang=${language}`]),
  ),
  pageMutant("page-language-only-formats", ["RBS-LANGUAGE-01"], "navigator.language ignores the language option", () =>
    saying((language) => [`${LANGUAGE}${language}`, "--accept-lang=en-US,en"]),
  ),
  pageMutant("page-language-of-operator", ["RBS-LANGUAGE-04"], "By default, pages see the operator's language", () =>
    byDefault(LANGUAGE, "de-DE"),
  ),
  pageMutant("page-language-null", ["RBS-LANGUAGE-04"], "A null language means de-DE", () =>
    onOption("Language", (value) => (value === null ? "de-DE" : value)),
  ),
  pageMutant("page-zone-ignored", ["RBS-ZONE-01"], "The time zone is validated, but pages always see UTC", () =>
    without(TIME_ZONE),
  ),
  pageMutant("page-zone-of-operator", ["RBS-ZONE-04"], "By default, pages see the operator's time zone", () =>
    byDefault(TIME_ZONE, "Europe/Berlin"),
  ),
  pageMutant("page-zone-null", ["RBS-ZONE-04"], "A null time zone means Europe/Berlin", () =>
    onOption("TimeZone", (value) => (value === null ? "Europe/Berlin" : value)),
  ),
];
