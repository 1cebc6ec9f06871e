import { schema } from "../registry/pointers.ts";
import type { ScenarioRule } from "../registry/rule.ts";
import { schemaErrors } from "../contract/schemas.ts";
import { expectThat } from "../run/expect.ts";
import { expectAccepted } from "./opening.ts";
import { UUID_BITS, varyingBits } from "./varying-bits.ts";

/** The contract's 128, less what some places of a handful of ids have in common by chance. */
const ENOUGH_BITS = 118;

/** The address that Open answers with. */
export const ADDRESS_RULES: readonly ScenarioRule[] = [
  {
    kind: "scenario",
    id: "RBS-OPEN-01",
    level: "decision",
    capability: "core",
    at: schema("OpenResult"),
    sentence: "The browser that was opened.",
    covers: ["openBrowser 200", "OpenResult.address", "BrowserAddress"],
    opens: 1,
    async check(run) {
      const address = await expectAccepted(run, {});
      const wrong = schemaErrors("#/components/schemas/BrowserAddress", address);
      expectThat(wrong.length === 0, "an address as the contract describes it", wrong.join("; "));
    },
  },
  {
    kind: "scenario",
    id: "RBS-OPEN-17",
    level: "required",
    capability: "core",
    at: schema("BrowserAddress"),
    sentence: "No two browsers ever have the same.",
    opens: 3,
    atOnce: 2,
    async check({ main, shared }) {
      const addresses = [await shared("headless"), ...(await Promise.all([main.openBrowser(), main.openBrowser()]))];
      const [, gone = ""] = addresses;
      await main.close(gone);
      addresses.push(await main.openBrowser());
      const ids = addresses.map(idOf);
      const repeated = ids.filter((id, index) => ids.indexOf(id) !== index);
      expectThat(repeated.length === 0, "every browser to have an id of its own", "the same id twice");
    },
  },
  {
    kind: "scenario",
    id: "RBS-OPEN-18",
    level: "decision",
    capability: "core",
    at: schema("BrowserAddress"),
    sentence: "then `/devtools/browser/` and an id of at least 128 random bits",
    covers: ["BrowserAddress"],
    opens: 3,
    async check({ main, shared }) {
      const addresses = [
        await shared("headless"),
        ...(await Promise.all([main.openBrowser(), main.openBrowser(), main.openBrowser()])),
      ];
      const bits = varyingBits(addresses.map(idOf));
      const seen = `that they differ in no more than ${Math.floor(bits)} bits`;
      expectThat(bits >= ENOUGH_BITS && bits !== UUID_BITS, "four browsers' ids to differ as 128 random bits do", seen);
    },
  },
];

function idOf(address: string): string {
  return address.replace(/^.*\/devtools\/browser\//, "").replace(/[/?#].*$/, "");
}
