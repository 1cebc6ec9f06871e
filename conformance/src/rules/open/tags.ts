import { schema } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import { expectEqual } from "../../session/expect.ts";
import { expectRefused } from "../../scenario/opening.ts";
import { historyPart, infoOf, openAccepted, sessionOf } from "../../scenario/records.ts";

export const MAX_TAGS = 20;
export const MAX_TAG_LENGTH = 128;

/**
 * Markup, quotes, spaces, composed and decomposed characters, right-to-left text, emoji, upper case, and a repeated
 * tag.
 */
const ODD = [" b ", '<b>"it\'s"</b>', "é", "e\u0301", "שלום", "👩‍🔬🇺🇳", "a,b", "[]", "Nightly", "nightly", " b "];

/** Tags of browsers. */
export const TAG_RULES = scenarios({ capability: "core", since: "1.1", at: schema("OpenOptions", "Tags") }, [
  {
    id: "RBS-TAG-01",
    sentence: "They are listed as they were sent.",
    covers: ["OpenOptions.Tags"],
    opens: 1,
    async check(run) {
      const { main } = run;
      const own = run.newLabel();
      const Tags = [own, ...ODD];
      const { address, id } = await openAccepted(run, { Tags });
      expectEqual("the tags in Get's list", (await sessionOf(main, address))["tags"], Tags);
      expectEqual("the tags in Info", (await infoOf(main, { id }))["tags"], Tags);
      const { browsers } = await historyPart(main, { tag: own });
      expectEqual("the tags in the history", browsers[0]?.["tags"], Tags);
      await main.close(address);
      expectEqual("the tags after the browser ended", (await infoOf(main, { id }))["tags"], Tags);
    },
  },
  {
    id: "RBS-TAG-02",
    sentence: "at most 20, each of 1 to 128 characters",
    covers: ["openBrowser 400", "OpenOptions.Tags"],
    opens: 1,
    isDetail: true,
    async check(run) {
      // An emoji is one character, but two UTF-16 code units.
      const most = Array.from({ length: MAX_TAGS }, (_, at) => `${"🌍".repeat(MAX_TAG_LENGTH - 2)}${10 + at}`);
      const { id } = await openAccepted(run, { Tags: most });
      expectEqual("20 tags of 128 characters", (await infoOf(run.main, { id }))["tags"], most);
      await expectRefused(run, { Tags: [...most, "one more"] }, "/Tags");
      await expectRefused(run, { Tags: ["a", ""] }, "/Tags/1");
      await expectRefused(run, { Tags: ["x".repeat(MAX_TAG_LENGTH + 1)] }, "/Tags/0");
      for (const wrong of ["nightly", { 0: "nightly" }, 5, true]) await expectRefused(run, { Tags: wrong }, "/Tags");
      for (const wrong of [5, null, ["a"]]) await expectRefused(run, { Tags: ["a", wrong] }, "/Tags/1");
      // Both spellings name the same option.
      await expectRefused(run, { tags: ["a", ""] }, "/tags/1");
    },
  },
  {
    id: "RBS-TAG-03",
    sentence: "By default, the browser has no tags.",
    covers: ["OpenOptions.Tags"],
    opens: 2,
    atOnce: 1,
    isDetail: true,
    async check(run) {
      for (const Tags of [undefined, null]) {
        const { address, id } = await openAccepted(run, { Tags });
        expectEqual("the tags in Get's list", (await sessionOf(run.main, address))["tags"], []);
        expectEqual("the tags in Info", (await infoOf(run.main, { id }))["tags"], []);
        await run.main.close(address);
      }
    },
  },
]);
