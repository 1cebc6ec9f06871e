import type { Fault, Mutant } from "../mutant.ts";
import { type Options, refuseWhere, understandAs } from "./open-options.ts";

type Screen = Readonly<Record<string, unknown>>;

function screenOf({ Screen }: Options): Screen | undefined {
  return typeof Screen === "object" && Screen !== null && !Array.isArray(Screen) ? (Screen as Screen) : undefined;
}

/** A fault in how Open reads a screen. */
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

/** The faults of an option that an argument can contradict. */
function ofContradictions(option: string, argument: string, rule: Mutant["killedBy"][number], words: string): Mutant[] {
  const id = option.toLowerCase();
  return [
    {
      id: `${id}-argument-wins`,
      title: `An argument replaces the option ${option} that it contradicts`,
      killedBy: [rule],
      fault: () =>
        understandAs((options) => (hasArgument(options, argument) ? { ...options, [option]: undefined } : options)),
    },
    {
      id: `${id}-same-refused`,
      title: `${words} is refused beside an argument that says the same`,
      killedBy: [rule],
      fault: () =>
        refuseWhere((options) =>
          hasArgument(options, argument) && options[option] !== undefined ? `/${option}` : undefined,
        ),
    },
  ];
}

/** A fault that leaves out a text that isn't valid. */
function withoutWrong(option: string, isRight: (text: string) => boolean): Fault {
  return understandAs((options) => {
    const value = options[option];
    return typeof value === "string" && !isRight(value) ? { ...options, [option]: undefined } : options;
  });
}

/** How browsers look to sites. */
export const LOOK_MUTANTS: readonly Mutant[] = [
  {
    id: "screen-clamped",
    title: "A screen that is too small or too large gets the nearest size",
    killedBy: ["RBS-SCREEN-03"],
    fault: () => onNumber("Width", (width) => Math.min(3840, Math.max(200, width))),
  },
  {
    id: "screen-rounded",
    title: "A screen's height is rounded to whole pixels",
    killedBy: ["RBS-SCREEN-03"],
    fault: () => onNumber("Height", Math.round),
  },
  {
    id: "screen-scale-clamped",
    title: "A scale above 3 means 3",
    killedBy: ["RBS-SCREEN-03"],
    fault: () => onNumber("Scale", (scale) => Math.min(3, scale)),
  },
  {
    id: "screen-without-height",
    title: "A screen needs no height",
    killedBy: ["RBS-SCREEN-03"],
    fault: () => onScreen((screen) => ({ Height: 480, ...screen })),
  },
  {
    id: "screen-scale-by-default",
    title: "A screen without a scale has a scale of 2",
    killedBy: ["RBS-SCREEN-05"],
    fault: () => onScreen((screen) => ({ Scale: 2, ...screen })),
  },
  {
    id: "screen-scale-null",
    title: "A scale of null means 2",
    killedBy: ["RBS-SCREEN-05"],
    fault: () => onScreen((screen) => (screen["Scale"] === null ? { ...screen, Scale: 2 } : screen)),
  },
  {
    id: "screen-null",
    title: "A screen of null is small",
    killedBy: ["RBS-SCREEN-06"],
    fault: () =>
      understandAs((options) =>
        options["Screen"] === null ? { ...options, Screen: { Width: 320, Height: 240 } } : options,
      ),
  },
  {
    id: "screen-full-hd",
    title: "A screen can't be larger than 1920 × 1080",
    killedBy: ["RBS-SCREEN-03"],
    fault: () => refuseWhere((options) => (Number(screenOf(options)?.["Width"]) > 1920 ? "/Screen/Width" : undefined)),
  },
  {
    id: "screen-camel-ignored",
    title: "The spelling screen of the option Screen is ignored",
    killedBy: ["RBS-SCREEN-03"],
    fault: () => understandAs((options) => ({ ...options, screen: undefined })),
  },
  ...ofContradictions("Screen", "--window-size", "RBS-SCREEN-04", "A screen"),
  {
    id: "screen-scale-argument-wins",
    title: "An argument replaces the scale that it contradicts",
    killedBy: ["RBS-SCREEN-04"],
    fault: () =>
      understandAs((options) =>
        hasArgument(options, "--force-device-scale-factor")
          ? { ...options, Screen: { ...screenOf(options), Scale: undefined } }
          : options,
      ),
  },
  {
    id: "language-any",
    title: "Text that isn't a language tag is ignored instead of refused",
    killedBy: ["RBS-LANGUAGE-02"],
    fault: () => withoutWrong("Language", (text) => /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(text)),
  },
  {
    id: "language-short",
    title: "Language tags with a script are refused",
    killedBy: ["RBS-LANGUAGE-02"],
    fault: () =>
      refuseWhere(({ Language }) =>
        typeof Language === "string" && /^[a-z]+-[a-z]{4}\b/i.test(Language) ? "/Language" : undefined,
      ),
  },
  ...ofContradictions("Language", "--lang", "RBS-LANGUAGE-03", "A language"),
  {
    id: "zone-any",
    title: "An unknown time zone means UTC",
    killedBy: ["RBS-ZONE-02"],
    fault: () => withoutWrong("TimeZone", (text) => text.includes("/") && !text.startsWith("Mars/")),
  },
  {
    id: "zone-offset",
    title: "A time zone can be an offset from UTC",
    killedBy: ["RBS-ZONE-02"],
    fault: () => withoutWrong("TimeZone", (text) => !/^[+-]\d\d:\d\d$/.test(text)),
  },
  {
    id: "zone-alias",
    title: "Former names of time zones are refused",
    killedBy: ["RBS-ZONE-02"],
    fault: () => refuseWhere(({ TimeZone }) => (TimeZone === "Asia/Calcutta" ? "/TimeZone" : undefined)),
  },
  ...ofContradictions("TimeZone", "--time-zone-for-testing", "RBS-ZONE-03", "A time zone"),
];
