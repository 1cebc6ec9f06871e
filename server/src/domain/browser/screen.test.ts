import { expect, test } from "vitest";
import { readScreen } from "./screen.ts";

test("a size that fits the default screen needs no switches", () => {
  expect(readScreen({ Width: 1280, Height: 720 }, true)).toEqual({
    page: { width: 1280, height: 720 },
    switches: [],
  });
});

test.each([
  [1920, 920, true, []],
  [1920, 921, true, ["--window-size=1920,1081"]],
  [1921, 920, true, ["--window-size=1921,1080"]],
  [3840, 2160, true, ["--window-size=3840,2320"]],
  // A graphical browser's screen can be resized later.
  [3840, 2160, false, []],
])("a page of %i × %i, headless %s, needs the switches %j", (Width, Height, isHeadless, switches) => {
  expect(readScreen({ Width, Height }, isHeadless).switches).toEqual(switches);
});

test.each([
  [{ Width: 3840, Height: 2160, Scale: 1.5 }, /18,662,400 device pixels .* more than the maximum of 16,777,216/],
  [{ Width: 201, Height: 200, Scale: 0.5 }, /whole number of device pixels .*201×200 at Scale 0.5/],
  [{ Width: 200, Height: 201, Scale: 0.5 }, /whole number of device pixels/],
])("a screen of %j is rejected", (screen, message) => {
  expect(() => readScreen(screen, true)).toThrow(
    expect.objectContaining({
      failure: "BadRequest",
      errors: [{ path: "/Screen", message: expect.stringMatching(message) }],
    }),
  );
});

test.each([
  { Width: 4096 / 2, Height: 1024, Scale: 2 },
  { Width: 200, Height: 202, Scale: 0.5 },
  { Width: 201, Height: 201, Scale: 1.25 },
])("a screen of %j is accepted", (screen) => {
  expect(readScreen(screen, false).page).toEqual({ width: screen.Width, height: screen.Height });
});
