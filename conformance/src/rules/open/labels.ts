import { schema } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import { expectEqual } from "../../session/expect.ts";
import { expectAccepted, expectRefused } from "../../scenario/opening.ts";

const MAX_LENGTH = 256;

/**
 * Markup, quotes, spaces, line breaks, composed and decomposed characters, right-to-left text and emoji with several
 * code points.
 */
const ODD = ` <b>"it's"</b> \\u0041 %41 \t\né e\u0301 ‏שלום 👩‍🔬 🇺🇳  `;

/** Rules about which labels are allowed, and how they are returned. */
export const LABEL_RULES = scenarios({ capability: "core", at: schema("OpenOptions", "Label") }, [
  {
    id: "RBS-OPEN-10",
    sentence: "It has at most 256 characters, counted as Unicode code points",
    covers: ["openBrowser 400", "OpenOptions.Label"],
    opens: 1,
    isDetail: true,
    async check(run) {
      // An emoji is one character, but two UTF-16 code units.
      const longest = padLabel(run.newLabel(), "🌍", MAX_LENGTH);
      await expectAccepted(run, { Label: longest });
      for (const Label of [padLabel(run.newLabel(), "x", MAX_LENGTH + 1), `${longest}x`]) {
        await expectRefused(run, { Label }, "/Label");
      }
    },
  },
  {
    id: "RBS-OPEN-11",
    sentence: "It does not have to be unique.",
    opens: 2,
    isDetail: true,
    async check(run) {
      const Label = run.newLabel();
      const addresses = [await expectAccepted(run, { Label }), await expectAccepted(run, { Label })];
      for (const address of addresses) {
        expectEqual("each browser's label", (await run.main.find(address))?.label, Label);
      }
    },
  },
  {
    id: "RBS-OPEN-22",
    level: "required",
    sentence: "and is listed as it was sent",
    opens: 1,
    isDetail: true,
    async check(run) {
      const Label = `${run.newLabel()}${ODD}`;
      const address = await expectAccepted(run, { Label });
      expectEqual("the label in the list", (await run.main.find(address))?.label, Label);
    },
  },
]);

/** @param length Target length in Unicode code points. */
function padLabel(label: string, sign: string, length: number): string {
  return label + sign.repeat(length - label.length);
}
