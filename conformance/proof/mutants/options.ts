import type { Mutant } from "../mutant.ts";
import { isFor, onCall, onFailure, readBody, refusal, withBody } from "./alter.ts";
import { refuseWhere, understandAs } from "./open-options.ts";

/** The meaning of options. */
export const OPTION_MUTANTS: readonly Mutant[] = [
  {
    id: "option-headless-default",
    title: "Browsers are headless by default",
    killedBy: ["RBS-OPEN-08"],
    fault: () => ({
      async answer(request, next) {
        if (!isFor(request, "openBrowser")) return next(request);
        const { text, json } = await readBody(request);
        const options = text === "" ? {} : json;
        const isSaid =
          typeof options !== "object" || options === null || "Headless" in options || "headless" in options;
        return next(withBody(request, isSaid ? text : JSON.stringify({ ...options, Headless: true })));
      },
    }),
  },
  {
    id: "option-null-refused",
    title: "Options can't be null",
    killedBy: ["RBS-OPEN-09", "RBS-FUZZ-07"],
    fault: () =>
      refuseWhere((options) => {
        const [wrong] = Object.entries(options).find(([, value]) => value === null) ?? [];
        return wrong === undefined ? undefined : `/${wrong}`;
      }),
  },
  {
    id: "option-types-coerced",
    title: 'Headless and Stealth accept the strings "true" and "false"',
    killedBy: ["RBS-OPEN-04"],
    fault: () =>
      understandAs((options) =>
        Object.fromEntries(
          Object.entries(options).map(([name, value]) => [
            name,
            /^(headless|stealth)$/i.test(name) && typeof value === "string" ? value === "true" : value,
          ]),
        ),
      ),
  },
  {
    id: "option-types-unchecked",
    title: "An option of a wrong type is ignored",
    killedBy: ["RBS-OPEN-03", "RBS-OPEN-04"],
    fault: () => {
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
    },
  },
  {
    id: "option-browser-hole",
    title: "Browser 1 opens Chromium",
    killedBy: ["RBS-OPEN-05"],
    fault: () => understandAs((options) => (options["Browser"] === 1 ? { ...options, Browser: 2 } : options)),
  },
  {
    id: "option-browser-any",
    title: "An unknown Browser number means the default",
    killedBy: ["RBS-OPEN-05"],
    fault: () => understandAs((options) => (Number(options["Browser"]) > 3 ? { ...options, Browser: 2 } : options)),
  },
  {
    id: "option-browser-without-two",
    title: "Browser 2 is refused",
    killedBy: ["RBS-OPEN-06"],
    fault: () => refuseWhere(({ Browser }) => (Browser === 2 ? "/Browser" : undefined)),
  },
  {
    id: "option-browser-missing-retry",
    title: "A kind that is not installed answers with Retry-After",
    killedBy: ["RBS-OPEN-06"],
    fault: () => onFailure("BrowserUnavailable", () => ({ headers: { "Retry-After": "5" } })),
  },
  {
    id: "option-browser-missing-400",
    title: "A kind that is not installed answers 400",
    killedBy: ["RBS-OPEN-06"],
    fault: () =>
      onFailure("BrowserUnavailable", ({ body }) => ({
        status: 400,
        body: { ...body, status: 400, name: "BadRequest", errors: [{ path: "/Browser", message: "is not here" }] },
      })),
  },
  {
    id: "option-shell-graphical-refused",
    title: "ChromeHeadlessShell with Headless false is refused",
    killedBy: ["RBS-OPEN-19"],
    fault: () => refuseWhere(({ Browser, Headless }) => (Browser === 3 && Headless !== true ? "/Headless" : undefined)),
  },
  {
    id: "option-body-needed",
    title: "Open requires a body",
    killedBy: ["RBS-OPEN-07"],
    fault: () =>
      onCall((request, body) =>
        isFor(request, "openBrowser") && body === "" && request.headers.has("authorization")
          ? refusal("BadRequest", "")
          : undefined,
      ),
  },
  {
    id: "option-args-refused",
    title: "All Args are refused",
    killedBy: ["RBS-OPEN-12"],
    fault: () => refuseWhere(({ Args }) => (Array.isArray(Args) && Args.length > 0 ? "/Args/0" : undefined)),
  },
  {
    id: "option-args-string",
    title: "Args can be a string",
    killedBy: ["RBS-OPEN-04"],
    fault: () => understandAs((options) => (typeof options["Args"] === "string" ? { ...options, Args: [] } : options)),
  },
  {
    id: "option-args-unlimited",
    title: "The number and length of Args are unlimited",
    killedBy: ["RBS-OPEN-14"],
    fault: () =>
      understandAs((options) =>
        Array.isArray(options["Args"]) && options["Args"].every((each) => typeof each === "string")
          ? { ...options, Args: [] }
          : options,
      ),
  },
  {
    id: "option-ignored-args-refused",
    title: "IgnoredDefaultArgs are refused",
    killedBy: ["RBS-OPEN-15"],
    fault: () =>
      refuseWhere(({ IgnoredDefaultArgs }) =>
        Array.isArray(IgnoredDefaultArgs) && IgnoredDefaultArgs.length > 0 ? "/IgnoredDefaultArgs/0" : undefined,
      ),
  },
  {
    id: "option-stealth-refused",
    title: "Stealth false is refused",
    killedBy: ["RBS-STEALTH-03"],
    fault: () => refuseWhere(({ Stealth }) => (Stealth === false ? "/Stealth" : undefined)),
  },
];
