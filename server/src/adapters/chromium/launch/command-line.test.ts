import fc from "fast-check";
import { expect, test } from "vitest";
import { toArguments } from "./command-line.ts";
import { fixedSwitches, removableSwitches } from "./default-switches.ts";

const PLACE = {
  devtoolsPort: 9222,
  home: "/home/browser",
  proxyUrl: "http://127.0.0.1:3128",
  screen: { width: 1920, height: 1080 },
};
const GRAPHICAL = { kind: "chromium", isHeadless: false, isStealthy: true } as const;
const HEADLESS = { kind: "chromium", isHeadless: true, switches: [], ignoredSwitches: [] } as const;
const SHELL = { kind: "chrome-headless-shell", isHeadless: true, switches: [], ignoredSwitches: [] } as const;
const USER_AGENT = "Mozilla/5.0 Chrome/1.0.0.0";

function argumentsOf(switches: string[], ignoredSwitches: string[] = []): string[] {
  return toArguments({ ...GRAPHICAL, switches, ignoredSwitches }, PLACE, undefined);
}

const DEFAULTS = argumentsOf([]);

function valuesOf(args: readonly string[], name: string): string[] {
  return args.filter((each) => each === name || each.startsWith(`${name}=`)).map((each) => each.slice(name.length + 1));
}

test("a client's switch replaces the default of the same name", () => {
  expect(valuesOf(DEFAULTS, "--lang")).toEqual(["en-US"]);
  expect(valuesOf(argumentsOf(["--lang=de"]), "--lang")).toEqual(["de"]);
  expect(argumentsOf(["--lang=de"]).length).toBe(DEFAULTS.length);
});

test("if a client repeats a switch, the last one applies", () => {
  expect(valuesOf(argumentsOf(["--lang=de", "--lang=fr"]), "--lang")).toEqual(["fr"]);
});

test.each([
  "--disable-features",
  "--enable-features",
  "--disable-blink-features",
  "--enable-blink-features",
  "--blink-settings",
])("all values of %s are joined, because Chromium would only use the last one", (name) => {
  const [before] = valuesOf(DEFAULTS, name);
  const [after, ...more] = valuesOf(argumentsOf([`${name}=One`, `${name}=Two,Three`]), name);
  expect(after).toBe([before, "One", "Two,Three"].filter((part) => part !== undefined).join(","));
  expect(more).toEqual([]);
});

test("a window larger than its screen is shrunk to fit, and an ignored size is omitted", () => {
  const ofWindow = (switches: string[], ignored?: string[]) =>
    valuesOf(argumentsOf(switches, ignored), "--window-size");
  expect(ofWindow(["--window-size=2560,1440"])).toEqual(["1920,1080"]);
  expect(ofWindow(["--window-size=2560,1440"], ["--window-size"])).toEqual(["1920,1080"]);
  expect(ofWindow([], ["--window-size"])).toEqual([]);
});

test("a stealthy headless browser keeps its scroll bars, because a mouse without scroll bars would reveal headless mode", () => {
  expect(toArguments({ ...HEADLESS, isStealthy: true }, PLACE, undefined)).not.toContain("--hide-scrollbars");
  expect(toArguments({ ...HEADLESS, isStealthy: false }, PLACE, undefined)).toContain("--hide-scrollbars");
});

test("an ignored default is omitted, but a client's own switch of the same name is kept", () => {
  expect(valuesOf(argumentsOf([], ["--lang", "--disable-features"]), "--lang")).toEqual([]);
  expect(valuesOf(argumentsOf(["--disable-features=One"], ["--disable-features"]), "--disable-features")).toEqual([
    "One",
  ]);
  expect(valuesOf(argumentsOf([], ["--lang=en-US"]), "--lang")).toEqual([]);
});

test.each(["--", "-", "", "---", "about:blank", "-no-sandbox", "--=x", "-- --lang=de"])(
  "%j isn't a switch, and could change how later arguments are read: it is refused as an internal error",
  (given) => {
    expect(() => argumentsOf(["--lang=de", given])).toThrow(/is not a switch/);
  },
);

test.each([SHELL, HEADLESS, { ...HEADLESS, isHeadless: false }])("%j has no process for the network", (spec) => {
  const [features] = valuesOf(toArguments({ ...spec, isStealthy: true }, PLACE, undefined), "--enable-features");
  expect(features).toBe("NetworkServiceInProcess2");
});

test("only a stealthy headless shell's user agent is replaced", () => {
  expect(toArguments({ ...SHELL, isStealthy: true }, PLACE, USER_AGENT)).toContain(`--user-agent=${USER_AGENT}`);
  expect(toArguments({ ...SHELL, isStealthy: false }, PLACE, USER_AGENT).join()).not.toContain("--user-agent");
  expect(toArguments({ ...SHELL, ...GRAPHICAL }, PLACE, USER_AGENT).join()).not.toContain("--user-agent");
});

test("the fixed switches come last and unchanged, whatever switches a client requests", () => {
  const spec = fc.record({
    kind: fc.constantFrom("chromium" as const, "chrome" as const, "chrome-headless-shell" as const),
    isHeadless: fc.boolean(),
    isStealthy: fc.boolean(),
  });
  const anyName = fc.oneof(
    fc.stringMatching(/^--[a-z][a-z-]{0,12}$/),
    fc.constantFrom(
      ...[true, false].flatMap((isHeadless) =>
        [
          ...fixedSwitches({ ...GRAPHICAL, isHeadless, switches: [] }, PLACE),
          ...removableSwitches({ ...GRAPHICAL, isHeadless, switches: [] }, PLACE.screen, "x"),
        ].map((each) => each.replace(/=.*/, "")),
      ),
    ),
  );
  const switches = fc.array(
    fc.oneof(
      anyName,
      fc.tuple(anyName, fc.string()).map(([name, value]) => `${name}=${value}`),
    ),
  );
  fc.assert(
    fc.property(spec, switches, fc.array(anyName), (wanted, given, ignoredSwitches) => {
      const args = toArguments({ ...wanted, switches: given, ignoredSwitches }, PLACE, USER_AGENT);
      const fixed = fixedSwitches({ ...wanted, switches: given }, PLACE);
      expect(args.slice(-fixed.length - 1)).toEqual([...fixed, "about:blank"]);
      expect(args.every((each, index) => each.startsWith("--") || index === args.length - 1)).toBe(true);
      expect(args).not.toContain("--");
    }),
  );
});
