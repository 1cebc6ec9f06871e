import type { components } from "@remote-browser/contract/types";
import { Failure } from "../failure.ts";
import { Mistakes } from "../mistakes.ts";
import { TIME_ZONE, quote } from "../switches/switch-values.ts";
import { type Size, readScreen } from "./screen.ts";

/** What a switch says about an option: the same, which makes it superfluous, something that fits, or something else. */
type Verdict = "same" | "fits" | "contradicts";

/** What an option says, in terms of switches. */
type Choice = {
  /** Of the option, relative to the body. */
  readonly path: string;
  readonly name: string;
  /** As messages show it. */
  readonly value: string;
  readonly switches: readonly string[];
  /** The client's switches about the same, judged by their values. */
  readonly judges: Readonly<Record<string, (value: string) => Verdict>>;
};

type WireOptions = components["schemas"]["OpenOptions"];

type LookOptions = { readonly [Name in "Screen" | "Language" | "TimeZone"]: WireOptions[Name] | undefined };

/**
 * Adds the options about how a browser looks to sites to the client's own switches. A browser that was started with the
 * same switches has the same options.
 * @returns The size of the first page in CSS pixels, if it is set, and all switches.
 * @throws {Failure} `BadRequest` for a value that is not valid, and for one that a switch contradicts.
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

/** @param mistakes Gets a `BadRequest` for each switch that contradicts the choice. */
function add(
  switches: readonly string[],
  { path, name, value, switches: added, judges }: Choice,
  mistakes: Mistakes,
): readonly string[] {
  const kept = switches.filter((each) => {
    const [switchName = "", ...rest] = each.split("=");
    const verdict = judges[switchName]?.(rest.join("=")) ?? "fits";
    if (verdict !== "contradicts") return verdict === "fits";
    const message = `is ${value}, but the argument ${each} says something else: send one of them`;
    mistakes.attempt(() => {
      throw new Failure("BadRequest", `${name} ${message}.`, { errors: [{ path, message }] });
    });
    return false;
  });
  return [...kept, ...added];
}

function readLanguage(text: string): Choice {
  const language = toLanguage(text);
  if (language === undefined) throw refusal("Language", `${quote(text)} is not a BCP 47 language tag, such as de-DE`);
  return {
    path: "/Language",
    name: "Language",
    value: quote(language),
    switches: [`--lang=${language}`],
    judges: {
      "--lang": (value) => (toLanguage(value) === language ? "same" : "contradicts"),
      "--accept-lang": (value) => (toLanguage(value.split(",")[0] ?? "") === language ? "fits" : "contradicts"),
    },
  };
}

function readTimeZone(text: string): Choice {
  const read = TIME_ZONE.read(text);
  if ("problem" in read) {
    const problem = `${quote(text)} is not a name of the IANA time zone database, such as Europe/Berlin`;
    throw refusal("TimeZone", problem);
  }
  return {
    path: "/TimeZone",
    name: "TimeZone",
    value: quote(read.value),
    switches: [`--time-zone-for-testing=${read.value}`],
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
    // Without the switch, it is 1.
    switches: scale === 1 ? [] : [`--force-device-scale-factor=${scale}`],
    judges: { "--force-device-scale-factor": (value) => (Number(value) === scale ? "same" : "contradicts") },
  };
}

/**
 * A language tag in its usual spelling: `de-de` and `de_DE` are `de-DE`.
 * @returns Undefined for other text, and for names such as `german`: the syntax allows them, but no language has such a
 * tag.
 */
function toLanguage(text: string): string | undefined {
  if (!/^[a-z]{2,3}(?![a-z])/i.test(text)) return undefined;
  try {
    return Intl.getCanonicalLocales(text.replaceAll("_", "-"))[0];
  } catch {
    return undefined;
  }
}

function refusal(option: string, message: string): Failure {
  const errors = [{ path: `/${option}`, message }];
  return new Failure("BadRequest", `The ${option} is not valid: ${message}.`, { errors });
}
