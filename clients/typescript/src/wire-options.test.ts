import { expect, expectTypeOf, test } from "vitest";
import { OPEN_OPTIONS, type OpenOptions, type PROXY, SUPPORTED_BROWSER } from "./generated/options.ts";
import type { components } from "./generated/types.ts";
import { toWire } from "./wire-options.ts";

type Wire = components["schemas"]["OpenOptions"];

test("every option goes where the contract has it", () => {
  const options: Required<OpenOptions> = {
    args: ["--lang=de"],
    ignoredDefaultArgs: [],
    headless: true,
    stealth: false,
    browser: "ChromeHeadlessShell",
    keepOpen: 2.5,
    proxy: { host: "h", port: "1", username: "u", password: "" },
    label: "",
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
  } satisfies Required<Wire>);
});

test("options without a value are left out, at either level", () => {
  expect(toWire({ label: null, keepOpen: undefined })).toStrictEqual({});
  expect(toWire({ proxy: { host: "h", port: "1", username: null } })).toStrictEqual({
    Proxy: { Host: "h", Port: "1" },
  });
});

test("a kind is a name or a number", () => {
  for (const [name, number] of Object.entries(SUPPORTED_BROWSER)) {
    expect(toWire({ browser: name as keyof typeof SUPPORTED_BROWSER })).toStrictEqual({ Browser: number });
    expect(toWire({ browser: number })).toStrictEqual({ Browser: number });
  }
});

test("what is no option is refused by its name, since the service would overlook it", () => {
  expect(() => toWire({ KeepOpen: 1 } as never)).toThrow(
    /^There is no option `KeepOpen`: there are args,.*\. Is keepOpen meant\?$/,
  );
  expect(() => toWire({ keep_open: 1 } as never)).toThrow("Is keepOpen meant?");
  expect(() => toWire({ proxy: { Host: "h" } } as never)).toThrow("Is proxy.host meant?");
  expect(() => toWire({ toString: 1 } as never)).toThrow("There is no option `toString`");
  expect(() => toWire({ proxy: { host: "h", user: "u" } } as never)).toThrow(
    new TypeError("There is no option `proxy.user`: there are host, port, username, password."),
  );
  expect(() => toWire({ browser: "firefox" } as never)).toThrow(
    '`browser` is "firefox": it is to be Chrome, Chromium,',
  );
});

test("a number that JSON lacks is refused, since it would arrive as the default", () => {
  for (const keepOpen of [Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => toWire({ keepOpen })).toThrow(`\`keepOpen\` is ${keepOpen}: it is to be a finite number.`);
  }
});

test("the tables have the contract's members, each once", () => {
  type Names<Table extends Record<string, { wire: string }>> = Table[keyof Table]["wire"];
  expectTypeOf<Names<typeof OPEN_OPTIONS>>().toEqualTypeOf<keyof Wire>();
  expectTypeOf<Names<typeof PROXY>>().toEqualTypeOf<keyof components["schemas"]["Proxy"]>();
  expectTypeOf<(typeof SUPPORTED_BROWSER)[keyof typeof SUPPORTED_BROWSER]>().toEqualTypeOf<
    components["schemas"]["SupportedBrowser"]
  >();
  expectTypeOf<keyof OpenOptions>().toEqualTypeOf<keyof typeof OPEN_OPTIONS>();
  expectTypeOf<OpenOptions["keepOpen"]>().toEqualTypeOf<Wire["KeepOpen"]>();
  expect(new Set(Object.values(OPEN_OPTIONS).map(({ wire }) => wire)).size).toBe(Object.keys(OPEN_OPTIONS).length);
});
