import { expect, test } from "vitest";
import { toLocale, toLocaleEnvironment } from "./locale.ts";

test.each([
  [[], "en-US", "en-US,en"],
  [["--lang=de-DE"], "de-DE", "de-DE,de,en-US,en"],
  [["--lang=de"], "de", "de,en-US,en"],
  [["--lang=pt_BR"], "pt-BR", "pt-BR,pt,en-US,en"],
  [["--lang=en-GB"], "en-GB", "en-GB,en-US,en"],
  [["--lang=de-DE", "--accept-lang=fr,de"], "de-DE", "fr,de"],
  [["--accept-lang=de-AT,de"], "de-AT", "de-AT,de"],
])("with %j, the language is %s and Accept-Language is %s", (switches, language, acceptLanguage) => {
  expect(toLocale({ kind: "chromium", switches })).toEqual({ language, acceptLanguage, timeZone: "UTC" });
});

test("the headless shell accepts only one language, unless a client lists more", () => {
  const kind = "chrome-headless-shell";
  expect(toLocale({ kind, switches: [] }).acceptLanguage).toBe("en-US");
  expect(toLocale({ kind, switches: ["--lang=de-DE"] }).acceptLanguage).toBe("de-DE");
  expect(toLocale({ kind, switches: ["--accept-lang=de,en"] })).toMatchObject({
    language: "de",
    acceptLanguage: "de,en",
  });
});

test("the environment has the same values in POSIX format", () => {
  const switches = ["--lang=de-DE", "--time-zone-for-testing=Europe/Berlin"];
  expect(toLocaleEnvironment(toLocale({ kind: "chromium", switches }))).toEqual({
    LANG: "de_DE.UTF-8",
    LANGUAGE: "de_DE",
    TZ: "Europe/Berlin",
  });
});
