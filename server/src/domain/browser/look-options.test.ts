import { expect, test } from "vitest";
import { readLook } from "./look-options.ts";

type Look = Parameters<typeof readLook>[0];

function read(look: Partial<Look>, own: readonly string[] = [], isHeadless = true): readonly string[] {
  return readLook({ Screen: undefined, Language: undefined, TimeZone: undefined, ...look }, isHeadless, own).switches;
}

const SCREEN = { Width: 800, Height: 600 };

test("without options, the client's own switches are unchanged", () => {
  expect(read({}, ["--lang=fr", "--window-size=1,2"])).toEqual(["--lang=fr", "--window-size=1,2"]);
  expect(read({ Screen: null, Language: null, TimeZone: null }, ["--kiosk"])).toEqual(["--kiosk"]);
});

test.each([
  [{ Language: "de-de" }, ["--lang=de-DE"]],
  [{ Language: "pt_BR" }, ["--lang=pt-BR"]],
  [{ Language: "en-us" }, []],
  [{ TimeZone: "Europe/Berlin" }, ["--time-zone-for-testing=Europe/Berlin"]],
  [{ TimeZone: "UTC" }, []],
  [{ Screen: { ...SCREEN, Scale: 2 } }, ["--force-device-scale-factor=2"]],
  [{ Screen: { ...SCREEN, Scale: 1 } }, []],
  [{ Screen: SCREEN }, []],
])("%j adds the switches %j", (look, switches) => {
  expect(read(look)).toEqual(switches);
});

test("the page has the size of the screen", () => {
  const look = { Screen: SCREEN, Language: undefined, TimeZone: undefined };
  expect(readLook(look, true, []).page).toEqual({ width: 800, height: 600 });
});

test.each([
  [{ Language: "de-DE" }, "--lang=de_de", ["--lang=de-DE"]],
  [{ Language: "de-DE" }, "--accept-lang=de-DE,en", ["--accept-lang=de-DE,en", "--lang=de-DE"]],
  [{ TimeZone: "Europe/Berlin" }, "--time-zone-for-testing=Europe/Berlin", ["--time-zone-for-testing=Europe/Berlin"]],
  [{ Screen: SCREEN }, "--window-size=800,600", []],
  [{ Screen: SCREEN }, "--window-position=0,0", []],
  [{ Screen: SCREEN }, "--force-device-scale-factor=2", ["--force-device-scale-factor=2"]],
  [{ Screen: { ...SCREEN, Scale: 2 } }, "--force-device-scale-factor=2.0", ["--force-device-scale-factor=2"]],
])("%j with the same value in %s results in the switches %j", (look, own, switches) => {
  expect(read(look, [own])).toEqual(switches);
});

test.each([
  [{ Language: "de-DE" }, "--lang=fr", "/Language"],
  [{ Language: "de-DE" }, "--accept-lang=fr,de-DE", "/Language"],
  [{ TimeZone: "Europe/Berlin" }, "--time-zone-for-testing=UTC", "/TimeZone"],
  [{ Screen: SCREEN }, "--window-size=800,601", "/Screen"],
  [{ Screen: SCREEN }, "--window-position=1,0", "/Screen"],
  [{ Screen: SCREEN }, "--start-maximized", "/Screen"],
  [{ Screen: SCREEN }, "--start-fullscreen", "/Screen"],
  [{ Screen: SCREEN }, "--kiosk", "/Screen"],
  [{ Screen: { ...SCREEN, Scale: 2 } }, "--force-device-scale-factor=3", "/Screen/Scale"],
])("%j is refused together with %s, with the path %s", (look, own, path) => {
  expect(() => read(look, [own])).toThrow(
    expect.objectContaining({
      failure: "BadRequest",
      message: expect.stringContaining(`the argument ${own} says something else`),
      errors: [{ path, message: expect.any(String) }],
    }),
  );
});

test.each([
  [{ Language: "not a language" }, "/Language"],
  [{ Language: "" }, "/Language"],
  [{ Language: "german" }, "/Language"],
  [{ Language: "deutsch_DE" }, "/Language"],
  [{ TimeZone: "Mars/Olympus" }, "/TimeZone"],
  [{ TimeZone: "" }, "/TimeZone"],
])("%j is refused", (look, path) => {
  expect(() => read(look)).toThrow(
    expect.objectContaining({ failure: "BadRequest", errors: [{ path, message: expect.any(String) }] }),
  );
});

test("one response lists all problems", () => {
  const look = { Language: "german", TimeZone: "Berlin", Screen: { Width: 3840, Height: 2160, Scale: 3 } };
  expect(() => read(look)).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(/^Screen has .* The Language is not valid: .* The TimeZone is not valid: /),
      errors: ["/Screen", "/Language", "/TimeZone"].map((path) => ({ path, message: expect.any(String) })),
    }),
  );
});
