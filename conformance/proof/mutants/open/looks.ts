import { type Fault, type Mutant, mutant } from "../../mutant.ts";
import { type Options, onOption, refuseWhere, understandAs } from "../../faults/open-options.ts";

type Screen = Readonly<Record<string, unknown>>;

function screenOf({ Screen }: Options): Screen | undefined {
  return typeof Screen === "object" && Screen !== null && !Array.isArray(Screen) ? (Screen as Screen) : undefined;
}

/** Alters the option Screen. */
function onScreen(alter: (screen: Screen) => Screen): Fault {
  return understandAs((options) => {
    const screen = screenOf(options);
    return screen === undefined ? options : { ...options, Screen: alter(screen) };
  });
}

function onNumber(name: string, alter: (value: number) => number): Fault {
  return onScreen((screen) => {
    const value = screen[name];
    return typeof value === "number" ? { ...screen, [name]: alter(value) } : screen;
  });
}

function hasArgument({ Args }: Options, name: string): boolean {
  return Array.isArray(Args) && Args.some((each) => typeof each === "string" && each.startsWith(`${name}=`));
}

/** Returns the mutants for an option that an argument can contradict. */
function ofContradictions(option: string, argument: string, rule: Mutant["killedBy"][number], words: string): Mutant[] {
  const id = option.toLowerCase();
  return [
    mutant(`${id}-argument-wins`, [rule], `A conflicting argument overrides the option ${option}`, () =>
      understandAs((options) => (hasArgument(options, argument) ? { ...options, [option]: undefined } : options)),
    ),
    mutant(`${id}-same-refused`, [rule], `${words} is rejected if an argument specifies the same value`, () =>
      refuseWhere((options) =>
        hasArgument(options, argument) && options[option] !== undefined ? `/${option}` : undefined,
      ),
    ),
  ];
}

/** Omits an option whose value is an invalid string. */
function withoutWrong(option: string, isRight: (text: string) => boolean): Fault {
  return understandAs((options) => {
    const value = options[option];
    return typeof value === "string" && !isRight(value) ? { ...options, [option]: undefined } : options;
  });
}

/** Faults in the screen, language and time zone that Open sets. */
export const LOOK_MUTANTS: readonly Mutant[] = [
  mutant("screen-clamped", ["RBS-SCREEN-03"], "A screen size that is too small or too large is clamped", () =>
    onNumber("Width", (width) => Math.min(3840, Math.max(200, width))),
  ),
  mutant("screen-rounded", ["RBS-SCREEN-03"], "A screen's height is rounded to whole pixels", () =>
    onNumber("Height", Math.round),
  ),
  mutant("screen-scale-clamped", ["RBS-SCREEN-03"], "A scale above 3 is treated as 3", () =>
    onNumber("Scale", (scale) => Math.min(3, scale)),
  ),
  mutant("screen-without-height", ["RBS-SCREEN-03"], "A screen doesn't need a height", () =>
    onScreen((screen) => ({ Height: 480, ...screen })),
  ),
  mutant("screen-scale-by-default", ["RBS-SCREEN-05"], "The default scale is 2", () =>
    onScreen((screen) => ({ Scale: 2, ...screen })),
  ),
  mutant("screen-scale-null", ["RBS-SCREEN-05"], "A null scale means 2", () =>
    onScreen((screen) => (screen["Scale"] === null ? { ...screen, Scale: 2 } : screen)),
  ),
  mutant("screen-null", ["RBS-SCREEN-06"], "A null screen means a small screen", () =>
    onOption("Screen", (value) => (value === null ? { Width: 320, Height: 240 } : value)),
  ),
  mutant("screen-full-hd", ["RBS-SCREEN-03"], "A screen can't be larger than 1920 × 1080", () =>
    refuseWhere((options) => (Number(screenOf(options)?.["Width"]) > 1920 ? "/Screen/Width" : undefined)),
  ),
  mutant("screen-camel-ignored", ["RBS-SCREEN-03"], "The option Screen is ignored if it is spelled screen", () =>
    understandAs((options) => ({ ...options, screen: undefined })),
  ),
  ...ofContradictions("Screen", "--window-size", "RBS-SCREEN-04", "A screen"),
  mutant("screen-scale-argument-wins", ["RBS-SCREEN-04"], "A conflicting argument overrides the scale", () =>
    understandAs((options) =>
      hasArgument(options, "--force-device-scale-factor")
        ? { ...options, Screen: { ...screenOf(options), Scale: undefined } }
        : options,
    ),
  ),
  mutant("language-any", ["RBS-LANGUAGE-02"], "An invalid language tag is ignored instead of rejected", () =>
    withoutWrong("Language", (text) => /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(text)),
  ),
  mutant("language-short", ["RBS-LANGUAGE-02"], "Language tags with a script are rejected", () =>
    refuseWhere(({ Language }) =>
      typeof Language === "string" && /^[a-z]+-[a-z]{4}\b/i.test(Language) ? "/Language" : undefined,
    ),
  ),
  ...ofContradictions("Language", "--lang", "RBS-LANGUAGE-03", "A language"),
  mutant("zone-any", ["RBS-ZONE-02"], "An unknown time zone is treated as UTC", () =>
    withoutWrong("TimeZone", (text) => text.includes("/") && !text.startsWith("Mars/")),
  ),
  mutant("zone-offset", ["RBS-ZONE-02"], "A time zone can be an offset from UTC", () =>
    withoutWrong("TimeZone", (text) => !/^[+-]\d\d:\d\d$/.test(text)),
  ),
  mutant("zone-alias", ["RBS-ZONE-02"], "Former time zone names are rejected", () =>
    refuseWhere(({ TimeZone }) => (TimeZone === "Asia/Calcutta" ? "/TimeZone" : undefined)),
  ),
  ...ofContradictions("TimeZone", "--time-zone-for-testing", "RBS-ZONE-03", "A time zone"),
];
