import fc from "fast-check";
import { expect, test } from "vitest";
import { toDimensions } from "./window.ts";

const HD = { width: 1920, height: 1080 };

test.each([true, false])("the window is as large as the screen by default; headless: %s", (isHeadless) => {
  expect(toDimensions({ isHeadless, switches: [] }, HD)).toEqual({ window: HD, screen: HD });
});

test.each([true, false])("a smaller window doesn't change the screen; headless: %s", (isHeadless) => {
  expect(toDimensions({ isHeadless, switches: ["--window-size=1280,800"] }, HD)).toEqual({
    window: { width: 1280, height: 800 },
    screen: HD,
  });
});

test("an oversized window is shrunk to fit a real screen, but enlarges a headless browser's screen", () => {
  const switches = ["--window-size=800,2000"];
  expect(toDimensions({ isHeadless: false, switches }, HD)).toEqual({
    window: { width: 800, height: 1080 },
    screen: HD,
  });
  expect(toDimensions({ isHeadless: true, switches }, HD)).toEqual({
    window: { width: 800, height: 2000 },
    screen: { width: 1920, height: 2000 },
  });
});

test("with two device pixels per CSS pixel, a window on a real screen is half as large, and a headless browser's screen is twice as large", () => {
  const switches = ["--force-device-scale-factor=2"];
  expect(toDimensions({ isHeadless: false, switches }, HD)).toEqual({
    window: { width: 960, height: 540 },
    screen: HD,
  });
  expect(toDimensions({ isHeadless: true, switches }, HD)).toEqual({
    window: HD,
    screen: { width: 3840, height: 2160 },
  });
});

test("whatever a client asks for, the window fits the screen", () => {
  const length = fc.integer({ min: 1, max: 8192 });
  const scale = fc.double({ min: 0.25, max: 8, noNaN: true }).map((number) => number.toFixed(4));
  fc.assert(
    fc.property(fc.boolean(), length, length, scale, (isHeadless, width, height, factor) => {
      const switches = [`--window-size=${width},${height}`, `--force-device-scale-factor=${factor}`];
      const { window, screen } = toDimensions({ isHeadless, switches }, HD);
      expect(window.width * Number(factor)).toBeLessThanOrEqual(screen.width + 1);
      expect(window.height * Number(factor)).toBeLessThanOrEqual(screen.height + 1);
    }),
  );
});
