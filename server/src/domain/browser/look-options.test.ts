import { expect, test } from "vitest";
import { Failure } from "../failure.ts";
import { readLook } from "./look-options.ts";

type Look = Parameters<typeof readLook>[0];

const KINDS = {
  graphical: { isHeadless: false, isShell: false },
  headless: { isHeadless: true, isShell: false },
  shell: { isHeadless: true, isShell: true },
};
const { graphical, headless, shell } = KINDS;
const NOTHING: Look = { Screen: undefined, Language: undefined, TimeZone: undefined };

function read(look: Partial<Look>, own: readonly string[] = [], kind = graphical): ReturnType<typeof readLook> {
  return readLook({ ...NOTHING, ...look }, kind, own);
}

function refusalOf(look: Partial<Look>, own?: readonly string[], kind?: typeof graphical): Partial<Failure> {
  try {
    read(look, own, kind);
  } catch (error) {
    if (error instanceof Failure) return error;
  }
  throw new Error("It was not refused.");
}

test("without options, or with null, a browser has the client's switches only", () => {
  const plain = { page: undefined, switches: ["--lang=fr"] };
  expect(read({}, ["--lang=fr"])).toEqual(plain);
  expect(read({ Screen: null, Language: null, TimeZone: null }, ["--lang=fr"])).toEqual(plain);
});

test.each([
  [{ Language: "de-de" }, ["--lang=de-DE"]],
  [{ Language: "pt_br" }, ["--lang=pt-BR"]],
  [{ TimeZone: "Europe/Berlin" }, ["--time-zone-for-testing=Europe/Berlin"]],
  [{ Screen: { Width: 800, Height: 600 } }, []],
  [{ Screen: { Width: 800, Height: 600, Scale: null } }, []],
  [{ Screen: { Width: 800, Height: 600, Scale: 1 } }, []],
  [{ Screen: { Width: 800, Height: 600, Scale: 2 } }, ["--force-device-scale-factor=2"]],
])("%j becomes %j", (look, switches) => {
  expect(read(look).switches).toEqual(switches);
});

test.each([
  ["a graphical browser's screen can change", graphical, 3840, 2160, 1, []],
  [
    "a headless browser's screen has to fit its window from the start",
    headless,
    1920,
    1080,
    1,
    ["--window-size=1920,1240"],
  ],
  ["unless the usual screen is large enough", headless, 1920, 920, 1, []],
  [
    "a fraction as scale needs a window that fills its screen",
    headless,
    1280,
    720,
    1.5,
    ["--window-size=1280,720", "--kiosk"],
  ],
  ["but a headless shell has no window", shell, 1280, 720, 1.5, []],
] as const)("%s", (_, kind, Width, Height, Scale, switches) => {
  const scale = Scale === 1 ? [] : [`--force-device-scale-factor=${Scale}`];
  expect(read({ Screen: { Width, Height, Scale } }, [], kind)).toEqual({
    page: { width: Width, height: Height },
    switches: [...switches, ...scale],
  });
});

test.each([
  ["the same language", { Language: "de-DE" }, ["--lang=de_de"], ["--lang=de-DE"]],
  [
    "a list that begins with it",
    { Language: "de-DE" },
    ["--accept-lang=de-DE,fr"],
    ["--accept-lang=de-DE,fr", "--lang=de-DE"],
  ],
  ["the same time zone", { TimeZone: "UTC" }, ["--time-zone-for-testing=UTC"], ["--time-zone-for-testing=UTC"]],
  ["the same size", { Screen: { Width: 800, Height: 600 } }, ["--window-size=800,600"], []],
  [
    "the same scale",
    { Screen: { Width: 800, Height: 600, Scale: 2 } },
    ["--force-device-scale-factor=2.0"],
    ["--force-device-scale-factor=2"],
  ],
])("a switch may say %s", (_, look, own, switches) => {
  expect(read(look, own).switches).toEqual(switches);
});

test.each([
  ["/Language", { Language: "de-DE" }, "--lang=fr"],
  ["/Language", { Language: "de-DE" }, "--accept-lang=fr,de-DE"],
  ["/TimeZone", { TimeZone: "UTC" }, "--time-zone-for-testing=Asia/Tokyo"],
  ["/Screen", { Screen: { Width: 800, Height: 600 } }, "--window-size=800,601"],
  ["/Screen", { Screen: { Width: 800, Height: 600 } }, "--kiosk"],
  ["/Screen/Scale", { Screen: { Width: 800, Height: 600, Scale: 1 } }, "--force-device-scale-factor=2"],
])("%s: %j is refused beside %s", (path, look, own) => {
  const { failure, errors } = refusalOf(look, [own]);
  expect(failure).toBe("BadRequest");
  expect(errors).toMatchObject([{ path, message: expect.stringContaining(own) as unknown }]);
});

test.each([
  ["/Language", { Language: "not a language" }, "not a BCP 47 language tag"],
  ["/TimeZone", { TimeZone: "Mars/Olympus" }, "not a name of the IANA time zone database"],
  ["/Screen", { Screen: { Width: 3840, Height: 2160, Scale: 3 } }, "74,649,600 device pixels"],
  ["/Screen", { Screen: { Width: 801, Height: 600, Scale: 0.5 } }, "not a whole number of device pixels"],
])("%s: %j is refused", (path, look, message) => {
  expect(refusalOf(look).errors).toMatchObject([{ path, message: expect.stringContaining(message) as unknown }]);
});
