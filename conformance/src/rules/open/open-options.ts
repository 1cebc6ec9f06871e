import { OPEN, schema } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import { expectEqual, expectThat, toErrorBody } from "../../session/expect.ts";
import { expectAccepted, expectRefused } from "../../scenario/opening.ts";

/** Values of the wrong type for each option. KeepOpen has its own rule. */
const WRONG: Readonly<Record<string, readonly unknown[]>> = {
  Args: ["--lang=de-DE", { 0: "--lang=de-DE" }, true],
  IgnoredDefaultArgs: ["--mute-audio", {}, 1],
  Headless: ["true", 1, []],
  Stealth: ["false", 0, {}],
  Browser: ["2", 2.5, true, []],
  Proxy: ["http://proxy.invalid:3128", ["proxy.invalid", "3128"], true],
  Label: [1, true, ["a label"], {}],
};

/** Rules about which values each option accepts. */
export const OPTION_RULES = scenarios({ capability: "core" }, [
  {
    id: "RBS-OPEN-03",
    at: schema("OpenOptions", "KeepOpen"),
    sentence: "A negative number is a `BadRequest`.",
    covers: ["openBrowser 400", "OpenOptions.KeepOpen"],
    async check(run) {
      for (const KeepOpen of [true, "30", -1, -0.5, [30], {}]) await expectRefused(run, { KeepOpen }, "/KeepOpen");
    },
  },
  {
    id: "RBS-OPEN-04",
    at: `${OPEN}/responses/400/description`,
    sentence: "The options do not match the contract. `errors` lists each problem.",
    covers: ["openBrowser 400", ...Object.keys(WRONG).map((option) => `OpenOptions.${option}`)],
    async check(run) {
      for (const [option, values] of Object.entries(WRONG)) {
        for (const value of values) await expectRefused(run, { [option]: value }, `/${option}`);
      }
    },
  },
  {
    id: "RBS-OPEN-09",
    at: `${OPEN}/description`,
    sentence: "An option that is `null` counts as omitted",
    opens: 1,
    async check(run) {
      const nulls = { Args: null, IgnoredDefaultArgs: null, Headless: null, Stealth: null, Browser: null };
      const address = await expectAccepted(run, {
        ...{ ...nulls, KeepOpen: null, Proxy: null, Label: null },
        ...{ Tags: null, Lifetime: null },
        ...(run.lacks("graphical") ? { Headless: true } : {}),
      });
      expectEqual("the label in the list after Label null", (await run.main.find(address))?.label, null);
      if (run.lacks("graphical")) return;
      // Only DesktopUnavailable means that the browser is headless. Without desktops, Start returns other errors.
      const { received } = await run.main.startDesktop(address);
      const isHeadless = toErrorBody(received.json).name === "DesktopUnavailable";
      expectThat(!isHeadless, "a browser with a graphical interface when Headless is null", "409 DesktopUnavailable");
    },
  },
  {
    id: "RBS-OPEN-16",
    at: schema("OpenOptions", "KeepOpen"),
    sentence: "0, and every value above the maximum lifetime of the account's plan, mean that maximum.",
    covers: ["OpenOptions.KeepOpen"],
    opens: 3,
    atOnce: 1,
    isDetail: true,
    async check(run) {
      // If the run is killed, these browsers remain open, so only the `full` profile opens them.
      const withoutEnd = run.options.profile === "full" ? [0, 1e15] : [];
      for (const KeepOpen of [2.5, ...withoutEnd]) await run.main.close(await expectAccepted(run, { KeepOpen }));
    },
  },
]);
