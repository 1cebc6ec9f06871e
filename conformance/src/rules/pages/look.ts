import { schema } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import { NotApplicable } from "../../target/violation.ts";
import { expectEqual } from "../../session/expect.ts";
import type { Run } from "../../session/run.ts";
import { connectDevtools } from "../../target/devtools.ts";
import { evaluateOnFirstPage } from "../../target/pages.ts";
import { CHROME, CHROMIUM, HEADLESS_SHELL, openKind } from "../open/open-kinds.ts";
import { expectAccepted, expectRefused } from "../../scenario/opening.ts";

const LANGUAGE = schema("OpenOptions", "Language");
const TIME_ZONE = schema("OpenOptions", "TimeZone");
const SCREEN = schema("OpenOptions", "Screen");

const PAGE = { Width: 640, Height: 480 };
const SEEN = "[innerWidth, innerHeight, devicePixelRatio]";
const OF_PAGE = [PAGE.Width, PAGE.Height, 1];

const LANGUAGE_SEEN = "[navigator.language, (1.5).toLocaleString()]";

/** Runs in a dedicated worker, without network access. */
const IN_WORKER = `new Promise((resolve) => {
  const script = "postMessage([navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone])";
  const worker = new Worker(URL.createObjectURL(new Blob([script])));
  worker.onmessage = ({ data }) => resolve(data);
})`;

/** The screen, language and time zone that sites see. */
export const LOOK_RULES = scenarios({ capability: "core", since: "1.1", isDetail: true }, [
  {
    id: "RBS-SCREEN-01",
    at: SCREEN,
    sentence: "The size of the browser's first page, in all kinds of browsers.",
    opens: 4,
    atOnce: 1,
    check: (run) => expectSeenInKinds(run, [CHROME, CHROMIUM, HEADLESS_SHELL], true),
  },
  {
    id: "RBS-SCREEN-02",
    capability: "desktop",
    at: schema("Screen"),
    sentence: "its `innerWidth`, `innerHeight` and `devicePixelRatio`",
    opens: 4,
    atOnce: 1,
    async check(run) {
      await expectSeenInKinds(run, [CHROME, CHROMIUM], false);
      const scaled = { screen: { width: 412, height: 915, scale: 2 } };
      await expectSeen(run, scaled, SEEN, [412, 915, 2]);
    },
  },
  {
    id: "RBS-SCREEN-03",
    at: schema("Screen"),
    sentence: "`Width` and `Height` are required.",
    covers: ["openBrowser 400", "Screen.Width", "Screen.Height", "Screen.Scale"],
    opens: 3,
    async check(run) {
      for (const Screen of [
        { Width: 200, Height: 200, Scale: 0.5 },
        { Width: 3840, Height: 2160 },
        { Width: 400, Height: 300, Scale: 3 },
      ]) {
        await run.main.close(await expectAccepted(run, { Screen }));
      }
      for (const Width of [199, 3841, 640.5, "640", true]) {
        await expectRefused(run, { Screen: { ...PAGE, Width } }, "/Screen/Width");
      }
      for (const Height of [199, 2161, 480.5, "480", true]) {
        await expectRefused(run, { Screen: { ...PAGE, Height } }, "/Screen/Height");
      }
      for (const Scale of [0.49, 3.01, "2", true]) {
        await expectRefused(run, { Screen: { ...PAGE, Scale } }, "/Screen/Scale");
      }
      await expectRefused(run, { Screen: { Width: 640 } }, "/Screen/Height");
      await expectRefused(run, { Screen: { Height: 480 } }, "/Screen/Width");
      for (const Screen of ["640x480", [640, 480], 5]) await expectRefused(run, { Screen }, "/Screen");
      await expectRefused(run, { screen: { width: 640, height: 199 } }, "/screen/height");
    },
  },
  {
    id: "RBS-SCREEN-04",
    at: SCREEN,
    sentence: "A size or scale that an argument contradicts is a `BadRequest`.",
    covers: ["openBrowser 400"],
    opens: 1,
    async check(run) {
      await expectAccepted(run, { Screen: PAGE, Args: ["--window-size=640,480"] });
      await expectRefused(run, { Screen: PAGE, Args: ["--window-size=800,600"] });
      const scaled = { ...PAGE, Scale: 2 };
      const Args = ["--force-device-scale-factor=1.5"];
      await expectRefused(run, { Screen: scaled, Args });
    },
  },
  {
    id: "RBS-LANGUAGE-01",
    at: LANGUAGE,
    sentence: "`navigator.language` and the formats of `Intl`.",
    opens: 1,
    check: (run) => expectSeen(run, { Language: "de-DE" }, LANGUAGE_SEEN, ["de-DE", "1,5"]),
  },
  {
    id: "RBS-LANGUAGE-02",
    at: LANGUAGE,
    sentence: "It is a BCP 47 language tag, such as `de-DE`.",
    covers: ["openBrowser 400", "OpenOptions.Language"],
    opens: 3,
    async check(run) {
      for (const Language of ["de", "zh-Hant-TW", null]) {
        await run.main.close(await expectAccepted(run, { Language }));
      }
      for (const Language of ["", "not a language", "-", "../de", "d".repeat(65), 5, ["de"]]) {
        await expectRefused(run, { Language }, "/Language");
      }
      await expectRefused(run, { language: "not a language" }, "/language");
    },
  },
  {
    id: "RBS-LANGUAGE-03",
    at: LANGUAGE,
    sentence: "A language that an argument contradicts is a `BadRequest`.",
    covers: ["openBrowser 400"],
    opens: 1,
    async check(run) {
      await expectAccepted(run, { Language: "de-DE", Args: ["--lang=de-DE"] });
      await expectRefused(run, { Language: "de-DE", Args: ["--lang=fr-FR"] });
    },
  },
  {
    id: "RBS-LANGUAGE-04",
    at: LANGUAGE,
    sentence: "The default is `en-US`.",
    opens: 2,
    atOnce: 1,
    async check(run) {
      for (const Language of [undefined, null]) await expectSeen(run, { Language }, LANGUAGE_SEEN, ["en-US", "1.5"]);
    },
  },
  {
    id: "RBS-ZONE-01",
    at: TIME_ZONE,
    sentence: "The time zone of the browser",
    opens: 1,
    check: (run) => expectSeen(run, { TimeZone: "Asia/Tokyo", Language: "fr-FR" }, IN_WORKER, ["fr-FR", "Asia/Tokyo"]),
  },
  {
    id: "RBS-ZONE-02",
    at: TIME_ZONE,
    sentence: "by its name in the IANA time zone database, such as `Europe/Berlin`.",
    covers: ["openBrowser 400", "OpenOptions.TimeZone"],
    opens: 3,
    async check(run) {
      // Aliases are valid time zone names.
      for (const TimeZone of ["America/Argentina/Buenos_Aires", "Asia/Calcutta", null]) {
        await run.main.close(await expectAccepted(run, { TimeZone }));
      }
      for (const TimeZone of ["", "Mars/Olympus", "+01:00", "../UTC", "U".repeat(65), 1, ["UTC"]]) {
        await expectRefused(run, { TimeZone }, "/TimeZone");
      }
      await expectRefused(run, { timeZone: "Mars/Olympus" }, "/timeZone");
    },
  },
  {
    id: "RBS-ZONE-03",
    at: TIME_ZONE,
    sentence: "A time zone that an argument contradicts is a `BadRequest`.",
    covers: ["openBrowser 400"],
    opens: 1,
    async check(run) {
      const TimeZone = "Europe/Berlin";
      await expectAccepted(run, { TimeZone, Args: [`--time-zone-for-testing=${TimeZone}`] });
      await expectRefused(run, { TimeZone, Args: ["--time-zone-for-testing=Europe/Paris"] });
    },
  },
  {
    id: "RBS-ZONE-04",
    at: TIME_ZONE,
    sentence: "The default is `UTC`.",
    opens: 2,
    atOnce: 1,
    async check(run) {
      const zone = "Intl.DateTimeFormat().resolvedOptions().timeZone";
      for (const TimeZone of [undefined, null]) await expectSeen(run, { TimeZone }, zone, "UTC");
    },
  },
]);

/** Opens a browser and checks what two clients see on its first page. */
async function expectSeen(run: Run, options: object, expression: string, expected: unknown): Promise<void> {
  await expectSeenAt(run, await expectAccepted(run, options), options, expression, expected);
}

/** Compares the screens of these kinds of browsers, skipping kinds that the deployment doesn't support. */
async function expectSeenInKinds(run: Run, kinds: readonly number[], Headless: boolean): Promise<void> {
  let isAnyThere = false;
  for (const Browser of kinds) {
    const options = { Browser, Headless, Screen: PAGE };
    const address = await openKind(run, options);
    if (address === undefined) continue;
    isAnyThere = true;
    await expectSeenAt(run, address, options, SEEN, OF_PAGE);
  }
  if (isAnyThere) return;
  const how = Headless ? "headless" : "with a graphical interface";
  throw new NotApplicable(`This deployment doesn't open browsers of the kinds ${kinds.join(" or ")} ${how}.`);
}

async function expectSeenAt(
  run: Run,
  address: string,
  options: object,
  expression: string,
  expected: unknown,
): Promise<void> {
  for (const client of ["the first client", "a later client"]) {
    await using devtools = await connectDevtools(address);
    const seen = await evaluateOnFirstPage(devtools, expression);
    expectEqual(`the value that ${client} sees on the first page with ${JSON.stringify(options)}`, seen, expected);
  }
  await run.main.close(address);
}
