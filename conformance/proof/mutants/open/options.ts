import { type Fault, type Mutant, mutant } from "../../mutant.ts";
import { failing, isFor, onFailure, onRequest, readBody, refuseEmpty, withBody } from "../../faults/alter.ts";
import { onOption, refuseWhere, understandAs } from "../../faults/open-options.ts";

/** Rejects some switches in Args. */
function refuseSwitches(isRefused: (name: string) => boolean): Fault {
  return refuseWhere(({ Args }) => {
    const at = Array.isArray(Args) ? Args.findIndex((each) => isRefused(String(each).split("=")[0] ?? "")) : -1;
    return at === -1 ? undefined : `/Args/${at}`;
  });
}

/** Faults in how options are interpreted. */
export const OPTION_MUTANTS: readonly Mutant[] = [
  mutant("option-any-switch", ["RBS-OPEN-24"], "Every switch in Args is accepted", () =>
    onRequest("openBrowser", ({ Args, ...body }) => {
      const isKnown = (each: unknown): boolean => !/^--(rbs|user|remote|proxy)/.test(String(each));
      return { ...body, Args: Array.isArray(Args) ? Args.filter(isKnown) : Args };
    }),
  ),
  mutant("option-nameless-switch", ["RBS-OPEN-24"], "A rejected switch isn't named", () =>
    onFailure("BadRequest", ({ body }) => {
      const isAboutArgs = JSON.stringify(body).includes("--");
      return isAboutArgs ? { body: { ...body, message: "bad", errors: [{ path: "/Args/1", message: "bad" }] } } : {};
    }),
  ),
  mutant("option-any-default", ["RBS-OPEN-25"], "Every default argument can be removed", () =>
    onRequest("openBrowser", ({ IgnoredDefaultArgs: given, ...body }) => ({
      ...body,
      IgnoredDefaultArgs: Array.isArray(given) ? given.filter((each) => each !== "--user-data-dir") : given,
    })),
  ),
  mutant("option-headless-default", ["RBS-OPEN-08"], "Browsers are headless by default", () => ({
    async answer(request, next) {
      if (!isFor(request, "openBrowser")) return next(request);
      const { text, json } = await readBody(request);
      const options = text === "" ? {} : json;
      const isSaid = typeof options !== "object" || options === null || "Headless" in options || "headless" in options;
      return next(withBody(request, isSaid ? text : JSON.stringify({ ...options, Headless: true })));
    },
  })),
  mutant("option-null-refused", ["RBS-OPEN-09", "RBS-FUZZ-07"], "Options can't be null", () =>
    refuseWhere((options) => {
      const [wrong] = Object.entries(options).find(([, value]) => value === null) ?? [];
      return wrong === undefined ? undefined : `/${wrong}`;
    }),
  ),
  mutant("option-types-coerced", ["RBS-OPEN-04"], 'Headless and Stealth accept the strings "true" and "false"', () =>
    understandAs((options) =>
      Object.fromEntries(
        Object.entries(options).map(([name, value]) => [
          name,
          /^(headless|stealth)$/i.test(name) && typeof value === "string" ? value === "true" : value,
        ]),
      ),
    ),
  ),
  mutant("option-types-unchecked", ["RBS-OPEN-03", "RBS-OPEN-04"], "An option of the wrong type is ignored", () => {
    const types: Readonly<Record<string, (value: unknown) => boolean>> = {
      Args: Array.isArray,
      IgnoredDefaultArgs: Array.isArray,
      Headless: (value) => typeof value === "boolean",
      Stealth: (value) => typeof value === "boolean",
      Browser: (value) => typeof value === "number",
      KeepOpen: (value) => typeof value === "number",
      Label: (value) => typeof value === "string",
      Proxy: (value) => typeof value === "object",
    };
    return understandAs((options) =>
      Object.fromEntries(Object.entries(options).filter(([name, value]) => types[name]?.(value) ?? true)),
    );
  }),
  mutant("option-ignored-unknown", ["RBS-OPEN-29"], "A name that isn't a default can't be ignored", () =>
    refuseWhere(({ IgnoredDefaultArgs: names }) =>
      Array.isArray(names) && names.includes("--rbs-conformance-no-such-switch") ? "/IgnoredDefaultArgs/0" : undefined,
    ),
  ),
  mutant("option-browser-hole", ["RBS-OPEN-05"], "Browser 1 opens Chromium", () =>
    onOption("Browser", (value) => (value === 1 ? 2 : value)),
  ),
  mutant("option-browser-any", ["RBS-OPEN-05"], "An unknown Browser number means the default browser", () =>
    onOption("Browser", (value) => (Number(value) > 3 ? 2 : value)),
  ),
  mutant("option-browser-without-two", ["RBS-OPEN-06"], "Browser 2 is rejected", () =>
    refuseWhere(({ Browser }) => (Browser === 2 ? "/Browser" : undefined)),
  ),
  mutant("option-browser-missing-retry", ["RBS-OPEN-06"], "Retry-After is sent if a browser kind isn't installed", () =>
    onFailure("BrowserUnavailable", () => ({ headers: { "Retry-After": "5" } })),
  ),
  mutant("option-browser-missing-400", ["RBS-OPEN-06"], "Open returns 400 if a browser kind isn't installed", () =>
    onFailure("BrowserUnavailable", ({ body }) =>
      failing("BadRequest", body, [{ path: "/Browser", message: "is not here" }]),
    ),
  ),
  mutant("option-shell-graphical-refused", ["RBS-OPEN-19"], "ChromeHeadlessShell with Headless false is rejected", () =>
    refuseWhere(({ Browser, Headless }) => (Browser === 3 && Headless !== true ? "/Headless" : undefined)),
  ),
  mutant("option-body-needed", ["RBS-OPEN-07"], "Open requires a body", () =>
    refuseEmpty("openBrowser", "BadRequest", ""),
  ),
  mutant("option-args-refused", ["RBS-OPEN-12"], "All Args are rejected", () =>
    refuseWhere(({ Args }) => (Array.isArray(Args) && Args.length > 0 ? "/Args/0" : undefined)),
  ),
  mutant("option-args-few", ["RBS-OPEN-26"], "Only --lang and --window-size are accepted", () =>
    refuseSwitches((name) => !["--lang", "--window-size"].includes(name)),
  ),
  mutant(
    "option-args-sandbox",
    ["RBS-OPEN-28"],
    "Switches that would weaken the browser's protection are rejected",
    () => refuseSwitches((name) => ["--no-sandbox", "--disable-dev-shm-usage"].includes(name)),
  ),
  mutant("option-args-string", ["RBS-OPEN-04"], "Args can be a string", () =>
    onOption("Args", (value) => (typeof value === "string" ? [] : value)),
  ),
  mutant("option-args-unlimited", ["RBS-OPEN-14"], "The number and length of Args are unlimited", () =>
    onOption("Args", (value) => (Array.isArray(value) && value.every((each) => typeof each === "string") ? [] : value)),
  ),
  mutant("option-ignored-args-refused", ["RBS-OPEN-15"], "IgnoredDefaultArgs are refused", () =>
    refuseWhere(({ IgnoredDefaultArgs }) =>
      Array.isArray(IgnoredDefaultArgs) && IgnoredDefaultArgs.length > 0 ? "/IgnoredDefaultArgs/0" : undefined,
    ),
  ),
  mutant("option-stealth-refused", ["RBS-STEALTH-03"], "Stealth false is rejected", () =>
    refuseWhere(({ Stealth }) => (Stealth === false ? "/Stealth" : undefined)),
  ),
];
