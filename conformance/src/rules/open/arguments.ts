import { schema } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import { expectEqual } from "../../session/expect.ts";
import { connectDevtools } from "../../target/devtools.ts";
import { openPage } from "../../target/pages.ts";
import { expectAccepted, expectRefused } from "../../scenario/opening.ts";

const MAX_ITEMS = 100;
const MAX_LENGTH = 4096;
/** The switch from the contract's example. */
const IGNORED = "--mute-audio";

/** Rules about arguments for the browser's command line. */
export const ARGUMENT_RULES = scenarios({ capability: "core", at: schema("OpenOptions", "Args"), opens: 1 }, [
  {
    id: "RBS-OPEN-12",
    level: "required",
    sentence: "Arguments for the browser's command line.",
    covers: ["OpenOptions.Args"],
    check: (run) => expectAccepted(run, { Args: ["--lang=de-DE", "--window-size=1280,800"] }),
  },
  {
    id: "RBS-OPEN-13",
    sentence:
      "They are added to the service's default arguments, and a switch that is also a default replaces that default.",
    async check(run) {
      // Stealth is off, because a browser that hides automation may also hide its window size.
      const options = { Headless: true, Stealth: false, Args: ["--window-size=1011,707"] };
      await using devtools = await connectDevtools(await run.main.openBrowser(options));
      await using page = await openPage(devtools);
      const size = await page.evaluate("[window.outerWidth, window.outerHeight]");
      expectEqual("the size of a window opened with --window-size=1011,707", size, [1011, 707]);
    },
  },
  {
    id: "RBS-OPEN-14",
    sentence: "At most 100, each of 1 to 4,096 characters.",
    covers: ["openBrowser 400", "OpenOptions.Args"],
    async check(run) {
      const most = Array.from({ length: MAX_ITEMS }, () => "--lang=de-DE");
      await expectAccepted(run, { Args: most });
      await expectRefused(run, { Args: [...most, "--lang=de-DE"] }, "/Args");
      const tooLong = "--lang=".padEnd(MAX_LENGTH + 1, "x");
      for (const item of [tooLong, "", 1, true, ["--lang=de-DE"]]) {
        await expectRefused(run, { Args: ["--lang=de-DE", item] }, "/Args/1");
      }
    },
  },
  {
    id: "RBS-OPEN-15",
    at: schema("OpenOptions", "IgnoredDefaultArgs"),
    sentence: "At most 100, each of 1 to 4,096 characters.",
    covers: ["openBrowser 400", "OpenOptions.IgnoredDefaultArgs"],
    async check(run) {
      await expectAccepted(run, { IgnoredDefaultArgs: [IGNORED] });
      const tooMany = Array.from({ length: MAX_ITEMS + 1 }, () => IGNORED);
      await expectRefused(run, { IgnoredDefaultArgs: tooMany }, "/IgnoredDefaultArgs");
      for (const item of [IGNORED.padEnd(MAX_LENGTH + 1, "x"), "", 1, false]) {
        await expectRefused(run, { IgnoredDefaultArgs: [IGNORED, item] }, "/IgnoredDefaultArgs/1");
      }
    },
  },
]);
