import type { components } from "@remote-browser/contract/types";
import { badRequest } from "../failure.ts";
import { Mistakes } from "../mistakes.ts";
import { TIME_ZONE, quote } from "../switches/switch-values.ts";
import { type Size, readScreen } from "./screen.ts";

/** How a client's switch relates to an option: redundant, compatible, or contradictory. */
type Verdict = "same" | "fits" | "contradicts";

/** An option, expressed as switches. */
type Choice = {
  /** The option's JSON Pointer in the body. */
  readonly path: string;
  readonly name: string;
  /** Shown in messages. */
  readonly value: string;
  readonly switches: readonly string[];
  /** Functions that check whether the values of related switches match the option. */
  readonly judges: Readonly<Record<string, (value: string) => Verdict>>;
};

type WireOptions = components["schemas"]["OpenOptions"];

type LookOptions = { readonly [Name in "Screen" | "Language" | "TimeZone"]: WireOptions[Name] | undefined };

/**
 * Adds switches for the options `Screen`, `Language` and `TimeZone` to the client's own switches. Browsers started with
 * the same switches look the same to sites.
 * @returns The first page's size in CSS pixels, if it is set, and all switches.
 * @throws {Failure} `BadRequest` for invalid values, and for values that a switch contradicts.
 */
export function readLook(
  { Screen, Language, TimeZone }: LookOptions,
  isHeadless: boolean,
  own: readonly string[],
): { readonly page: Size | undefined; readonly switches: readonly string[] } {
  const mistakes = new Mistakes();
  const screen = Screen ? mistakes.attempt(() => readScreen(Screen, isHeadless)) : undefined;
  const choices = [
    typeof Language === "string" ? mistakes.attempt(() => readLanguage(Language)) : undefined,
    typeof TimeZone === "string" ? mistakes.attempt(() => readTimeZone(TimeZone)) : undefined,
    screen && toSizeChoice(screen.page, screen.switches),
    typeof Screen?.Scale === "number" ? toScaleChoice(Screen.Scale) : undefined,
  ].filter((choice) => choice !== undefined);
  const switches = choices.reduce((known, choice) => add(known, choice, mistakes), own);
  mistakes.throwIfAny();
  return { page: screen?.page, switches };
}

/** @param mistakes Collects a `BadRequest` for each switch that contradicts the option. */
function add(
  switches: readonly string[],
  { path, name, value, switches: added, judges }: Choice,
  mistakes: Mistakes,
): readonly string[] {
  const kept = switches.filter((each) => {
    const [switchName = "", ...rest] = each.split("=");
    const verdict = judges[switchName]?.(rest.join("=")) ?? "fits";
    if (verdict !== "contradicts") return verdict === "fits";
    mistakes.attempt(() => {
      throw badRequest(path, name, `is ${value}, but the argument ${each} says something else: send one of them`);
    });
    return false;
  });
  return [...kept, ...added];
}

function readLanguage(text: string): Choice {
  const language = toLanguage(text);
  if (language === undefined) {
    const message = `${quote(text)} is not a BCP 47 language tag, such as de-DE`;
    throw badRequest("/Language", "The Language is not valid:", message);
  }
  return {
    path: "/Language",
    name: "Language",
    value: quote(language),
    // A request that sends the default is the same as one that omits it.
    switches: language === "en-US" ? [] : [`--lang=${language}`],
    judges: {
      "--lang": (value) => (toLanguage(value) === language ? "same" : "contradicts"),
      "--accept-lang": (value) => (toLanguage(value.split(",")[0] ?? "") === language ? "fits" : "contradicts"),
    },
  };
}

function readTimeZone(text: string): Choice {
  const read = TIME_ZONE.read(text);
  if ("problem" in read) {
    const message = `${quote(text)} is not a name of the IANA time zone database, such as Europe/Berlin`;
    throw badRequest("/TimeZone", "The TimeZone is not valid:", message);
  }
  return {
    path: "/TimeZone",
    name: "TimeZone",
    value: quote(read.value),
    switches: read.value === "UTC" ? [] : [`--time-zone-for-testing=${read.value}`],
    judges: { "--time-zone-for-testing": (value) => (value === read.value ? "same" : "contradicts") },
  };
}

/** The page fills the window, and the window fills the screen. */
function toSizeChoice({ width, height }: Size, switches: readonly string[]): Choice {
  const contradicts = (): Verdict => "contradicts";
  return {
    path: "/Screen",
    name: "Screen",
    value: `${width}×${height}`,
    switches,
    judges: {
      "--window-size": (value) => (value === `${width},${height}` ? "same" : "contradicts"),
      "--window-position": (value) => (value === "0,0" ? "same" : "contradicts"),
      "--start-maximized": contradicts,
      "--start-fullscreen": contradicts,
      "--kiosk": contradicts,
    },
  };
}

function toScaleChoice(scale: number): Choice {
  return {
    path: "/Screen/Scale",
    name: "Screen.Scale",
    value: String(scale),
    // Without the switch, the scale is 1.
    switches: scale === 1 ? [] : [`--force-device-scale-factor=${scale}`],
    judges: { "--force-device-scale-factor": (value) => (Number(value) === scale ? "same" : "contradicts") },
  };
}

/**
 * Returns a language tag in its canonical spelling: `de-de` and `de_DE` become `de-DE`.
 * @returns Undefined for other text, including names such as `german`, which match the syntax but aren't language tags.
 */
function toLanguage(text: string): string | undefined {
  if (!/^[a-z]{2,3}(?![a-z])/i.test(text)) return undefined;
  try {
    return Intl.getCanonicalLocales(text.replaceAll("_", "-"))[0];
  } catch {
    return undefined;
  }
}
