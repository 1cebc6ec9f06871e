import { expect, expectTypeOf, test } from "vitest";
import { OPEN_OPTIONS, type OpenOptions, type PROXY, type SCREEN, SUPPORTED_BROWSER } from "./generated/options.ts";
import type { components } from "./generated/types.ts";
import { toWire as toTable } from "./wire-options.ts";

type Wire = components["schemas"]["OpenOptions"];

const toWire = (options: OpenOptions): Wire => toTable(OPEN_OPTIONS, options);

test("every option is sent under its name in the contract", () => {
  const options: Required<OpenOptions> = {
    args: ["--lang=de"],
    ignoredDefaultArgs: [],
    headless: true,
    stealth: false,
    browser: "ChromeHeadlessShell",
    keepOpen: 2.5,
    proxy: { host: "h", port: "1", username: "u", password: "" },
    label: "",
    tags: ["nightly"],
    lifetime: 3600,
    waitForPlace: 30,
    screen: { width: 412, height: 915, scale: 2.625 },
    language: "de-DE",
    timeZone: "Europe/Berlin",
  };
  expect(toWire(options)).toStrictEqual({
    Args: ["--lang=de"],
    IgnoredDefaultArgs: [],
    Headless: true,
    Stealth: false,
    Browser: 3,
    KeepOpen: 2.5,
    Proxy: { Host: "h", Port: "1", Username: "u", Password: "" },
    Label: "",
    Tags: ["nightly"],
    Lifetime: 3600,
    WaitForPlace: 30,
    Screen: { Width: 412, Height: 915, Scale: 2.625 },
    Language: "de-DE",
    TimeZone: "Europe/Berlin",
  } satisfies Required<Wire>);
});

test("top-level and nested options without a value are omitted", () => {
  expect(toWire({ label: null, keepOpen: undefined })).toStrictEqual({});
  expect(toWire({ proxy: { host: "h", port: "1", username: null } })).toStrictEqual({
    Proxy: { Host: "h", Port: "1" },
  });
  expect(toWire({ screen: { width: 800, height: 600, scale: null } })).toStrictEqual({
    Screen: { Width: 800, Height: 600 },
  });
});

test("a kind of browser can be a name or a number", () => {
  for (const [name, number] of Object.entries(SUPPORTED_BROWSER)) {
    expect(toWire({ browser: name as keyof typeof SUPPORTED_BROWSER })).toStrictEqual({ Browser: number });
    expect(toWire({ browser: number })).toStrictEqual({ Browser: number });
  }
});

test("an unknown option is rejected, because the service would ignore it", () => {
  expect(() => toWire({ KeepOpen: 1 } as never)).toThrow(
    /^There is no option `KeepOpen`\. The options are args,.*\. Did you mean keepOpen\?$/,
  );
  expect(() => toWire({ keep_open: 1 } as never)).toThrow("Did you mean keepOpen?");
  expect(() => toWire({ proxy: { Host: "h" } } as never)).toThrow("Did you mean proxy.host?");
  expect(() => toWire({ toString: 1 } as never)).toThrow("There is no option `toString`");
  expect(() => toWire({ proxy: { host: "h", user: "u" } } as never)).toThrow(
    new TypeError("There is no option `proxy.user`. The options are host, port, username, password."),
  );
  expect(() => toWire({ browser: "firefox" } as never)).toThrow(
    '`browser` is "firefox": it must be one of Chrome, Chromium,',
  );
});

test("a number that JSON can't represent is rejected, because it would be sent as null and select the default", () => {
  for (const keepOpen of [Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => toWire({ keepOpen })).toThrow(`\`keepOpen\` is ${keepOpen}: it must be a finite number.`);
  }
  const screen = { width: 800, height: 600, scale: Number.NaN };
  expect(() => toWire({ screen })).toThrow("`screen.scale` is NaN: it must be a finite number.");
});

test("each member in the contract appears in the tables exactly once", () => {
  type Names<Table extends Record<string, { wire: string }>> = Table[keyof Table]["wire"];
  expectTypeOf<Names<typeof OPEN_OPTIONS>>().toEqualTypeOf<keyof Wire>();
  expectTypeOf<Names<typeof PROXY>>().toEqualTypeOf<keyof components["schemas"]["Proxy"]>();
  expectTypeOf<Names<typeof SCREEN>>().toEqualTypeOf<keyof components["schemas"]["Screen"]>();
  expectTypeOf<(typeof SUPPORTED_BROWSER)[keyof typeof SUPPORTED_BROWSER]>().toEqualTypeOf<
    components["schemas"]["SupportedBrowser"]
  >();
  expectTypeOf<keyof OpenOptions>().toEqualTypeOf<keyof typeof OPEN_OPTIONS>();
  expectTypeOf<OpenOptions["keepOpen"]>().toEqualTypeOf<Wire["KeepOpen"]>();
  expect(new Set(Object.values(OPEN_OPTIONS).map(({ wire }) => wire)).size).toBe(Object.keys(OPEN_OPTIONS).length);
});
