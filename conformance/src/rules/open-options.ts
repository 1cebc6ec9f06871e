import { OPEN, schema } from "../registry/pointers.ts";
import type { ScenarioRule } from "../registry/rule.ts";
import { expectEqual, expectThat, toErrorBody } from "../run/expect.ts";
import { expectAccepted, expectRefused } from "./opening.ts";

/** Values of another type than each option has. Those of KeepOpen have a rule of their own. */
const WRONG: Readonly<Record<string, readonly unknown[]>> = {
  Args: ["--lang=de-DE", { 0: "--lang=de-DE" }, true],
  IgnoredDefaultArgs: ["--mute-audio", {}, 1],
  Headless: ["true", 1, []],
  Stealth: ["false", 0, {}],
  Browser: ["2", 2.5, true, []],
  Proxy: ["http://proxy.invalid:3128", ["proxy.invalid", "3128"], true],
  Label: [1, true, ["a label"], {}],
};

/** Which values options may have. */
export const OPTION_RULES: readonly ScenarioRule[] = [
  {
    kind: "scenario",
    id: "RBS-OPEN-03",
    level: "decision",
    capability: "core",
    at: schema("OpenOptions", "KeepOpen"),
    sentence: "A negative number is a `BadRequest`.",
    covers: ["openBrowser 400", "OpenOptions.KeepOpen"],
    opens: 0,
    async check(run) {
      for (const KeepOpen of [true, "30", -1, -0.5, [30], {}]) await expectRefused(run, { KeepOpen }, "/KeepOpen");
    },
  },
  {
    kind: "scenario",
    id: "RBS-OPEN-04",
    level: "decision",
    capability: "core",
    at: `${OPEN}/responses/400/description`,
    sentence: "The options are not what the contract describes. `errors` names each place.",
    covers: ["openBrowser 400", ...Object.keys(WRONG).map((option) => `OpenOptions.${option}`)],
    opens: 0,
    async check(run) {
      for (const [option, values] of Object.entries(WRONG)) {
        for (const value of values) await expectRefused(run, { [option]: value }, `/${option}`);
      }
    },
  },
  {
    kind: "scenario",
    id: "RBS-OPEN-09",
    level: "decision",
    capability: "core",
    at: `${OPEN}/description`,
    sentence: "An option that is `null` counts as omitted",
    opens: 1,
    async check(run) {
      const nulls = { Args: null, IgnoredDefaultArgs: null, Headless: null, Stealth: null, Browser: null };
      const address = await expectAccepted(run, { ...nulls, KeepOpen: null, Proxy: null, Label: null });
      expectEqual("the label in the list, where Label was null,", (await run.main.find(address))?.label, null);
      // Whether there are desktops at all is no matter here: only this refusal says that the browser is headless.
      const { received } = await run.main.startDesktop(address);
      const isHeadless = toErrorBody(received.json).name === "DesktopUnavailable";
      expectThat(!isHeadless, "a graphical interface where Headless is null", "409 DesktopUnavailable");
    },
  },
  {
    kind: "scenario",
    id: "RBS-OPEN-16",
    level: "decision",
    capability: "core",
    at: schema("OpenOptions", "KeepOpen"),
    sentence: "0, and every value above the maximum lifetime of the account's plan, count as that maximum.",
    covers: ["OpenOptions.KeepOpen"],
    opens: 3,
    atOnce: 1,
    async check(run) {
      // A run that is killed must not leave browsers for ever where others need the room.
      const withoutEnd = run.options.profile === "full" ? [0, 1e15] : [];
      for (const KeepOpen of [2.5, ...withoutEnd]) await run.main.close(await expectAccepted(run, { KeepOpen }));
    },
  },
];
