import { schema } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import { expectEqual, expectRefusal, expectThat, show } from "../../session/expect.ts";
import { connectDevtools } from "../../target/devtools.ts";
import { openPage } from "../../target/pages.ts";
import { expectAccepted, expectRefused, ownOptions } from "../../scenario/opening.ts";

const MAX_ITEMS = 100;
const MAX_LENGTH = 4096;
/** The switch from the contract's example. */
const IGNORED = "--mute-audio";
const AGENT = "RbsConformance/1.0";
/** The switches that every deployment allows. */
const IN_EVERY_LIST = [
  ...["--window-size=1011,707", "--force-device-scale-factor=2", "--lang=de-DE", "--time-zone-for-testing=Asia/Tokyo"],
  ...[`--user-agent=${AGENT}`, "--hide-scrollbars", "--mute-audio", "--disable-gpu", "--disable-extensions"],
  ...["--disable-notifications", "--disable-features=Translate", "--disable-blink-features=AutomationControlled"],
  "--no-first-run",
];
/** A switch that no deployment lists. */
const UNKNOWN = "--rbs-conformance-no-such-switch";

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
    isDetail: true,
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
    id: "RBS-OPEN-26",
    since: "1.1",
    sentence: "Every list contains `--window-size`",
    covers: ["OpenOptions.Args"],
    isDetail: true,
    check: (run) => expectAccepted(run, { Args: IN_EVERY_LIST }),
  },
  {
    id: "RBS-OPEN-27",
    since: "1.1",
    sentence: "`--force-device-scale-factor`, `--lang`, `--time-zone-for-testing`, `--user-agent`",
    isDetail: true,
    async check(run) {
      const options = { Headless: true, Stealth: false, Args: IN_EVERY_LIST };
      await using devtools = await connectDevtools(await run.main.openBrowser(options));
      await using page = await openPage(devtools);
      const zone = "Intl.DateTimeFormat().resolvedOptions().timeZone";
      const seen = await page.evaluate(`[devicePixelRatio, navigator.language, ${zone}, navigator.userAgent]`);
      expectEqual("what a page sees of the Args", seen, [2, "de-DE", "Asia/Tokyo", AGENT]);
    },
  },
  {
    id: "RBS-OPEN-28",
    since: "1.1",
    sentence:
      "Some that many scripts contain and that would only weaken the browser's protection, such as `--no-sandbox` and `--disable-dev-shm-usage`, are accepted but have no effect.",
    covers: ["OpenOptions.Args"],
    isDetail: true,
    check: (run) => expectAccepted(run, { Args: ["--no-sandbox", "--disable-dev-shm-usage"] }),
  },
  {
    id: "RBS-OPEN-14",
    sentence: "At most 100, each of 1 to 4,096 characters.",
    covers: ["openBrowser 400", "OpenOptions.Args"],
    isDetail: true,
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
    isDetail: true,
    async check(run) {
      await expectAccepted(run, { IgnoredDefaultArgs: [IGNORED] });
      const tooMany = Array.from({ length: MAX_ITEMS + 1 }, () => IGNORED);
      await expectRefused(run, { IgnoredDefaultArgs: tooMany }, "/IgnoredDefaultArgs");
      for (const item of [IGNORED.padEnd(MAX_LENGTH + 1, "x"), "", 1, false]) {
        await expectRefused(run, { IgnoredDefaultArgs: [IGNORED, item] }, "/IgnoredDefaultArgs/1");
      }
    },
  },
  {
    id: "RBS-OPEN-24",
    sentence:
      "Switches that run programs, open files, move ports or proxies, and switches that are not in the list, are a `BadRequest` that names them.",
    covers: ["openBrowser 400", "OpenOptions.Args"],
    async check(run) {
      for (const name of [UNKNOWN, "--user-data-dir", "--remote-debugging-port", "--proxy-server"]) {
        const answer = await run.main.open({ ...ownOptions(run), Args: ["--lang=de-DE", `${name}=1`] });
        const { message, errors } = expectRefusal(answer, "BadRequest");
        const words = [message, ...errors.map((each) => each.message)].join(" ");
        expectThat(words.includes(name), `an error that names ${name}`, show(words));
      }
    },
  },
  {
    id: "RBS-OPEN-25",
    at: schema("OpenOptions", "IgnoredDefaultArgs"),
    sentence: "A default that protects the machine or its other users cannot be removed: naming one is a `BadRequest`.",
    covers: ["openBrowser 400", "OpenOptions.IgnoredDefaultArgs"],
    check: (run) => expectRefused(run, { IgnoredDefaultArgs: ["--user-data-dir"] }),
  },
  {
    id: "RBS-OPEN-29",
    since: "1.1",
    at: schema("OpenOptions", "IgnoredDefaultArgs"),
    sentence: "A name that is not a default has no effect.",
    covers: ["OpenOptions.IgnoredDefaultArgs"],
    isDetail: true,
    check: (run) => expectAccepted(run, { IgnoredDefaultArgs: [UNKNOWN] }),
  },
]);
