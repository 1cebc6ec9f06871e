import { schema } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import { schemaErrors } from "../../contract/schemas.ts";
import { expectThat } from "../../session/expect.ts";
import { expectAccepted } from "../../scenario/opening.ts";
import { UUID_BITS, varyingBits } from "../../scenario/varying-bits.ts";

/** The 128 bits that the contract requires, minus the bits that a few random ids may have in common by chance. */
const ENOUGH_BITS = 118;

/** Rules about the address that Open returns. */
export const ADDRESS_RULES = scenarios({ capability: "core" }, [
  {
    id: "RBS-OPEN-01",
    at: schema("OpenResult"),
    sentence: "The browser that was opened.",
    covers: ["openBrowser 200", "OpenResult.address", "BrowserAddress"],
    opens: 1,
    async check(run) {
      const address = await expectAccepted(run, {});
      const wrong = schemaErrors("#/components/schemas/BrowserAddress", address);
      expectThat(wrong.length === 0, "an address that matches the contract's schema", wrong.join("; "));
    },
  },
  {
    id: "RBS-OPEN-17",
    level: "required",
    at: schema("BrowserAddress"),
    sentence: "No two browsers ever have the same id.",
    opens: 3,
    atOnce: 2,
    async check({ main, shared }) {
      const addresses = [await shared("headless"), ...(await Promise.all([main.openBrowser(), main.openBrowser()]))];
      const [, gone = ""] = addresses;
      await main.close(gone);
      addresses.push(await main.openBrowser());
      const ids = addresses.map(idOf);
      const repeated = ids.filter((id, index) => ids.indexOf(id) !== index);
      expectThat(repeated.length === 0, "every browser to have a unique id", "the same id twice");
    },
  },
  {
    id: "RBS-OPEN-18",
    at: schema("BrowserAddress"),
    sentence: "then `/devtools/browser/` and an id of at least 128 random bits",
    covers: ["BrowserAddress"],
    opens: 3,
    isDetail: true,
    async check({ main, shared }) {
      const addresses = [
        await shared("headless"),
        ...(await Promise.all([main.openBrowser(), main.openBrowser(), main.openBrowser()])),
      ];
      const bits = varyingBits(addresses.map(idOf));
      const isRandom = bits >= ENOUGH_BITS && bits !== UUID_BITS;
      expectThat(isRandom, "four ids to vary like random 128-bit values", `at most ${Math.floor(bits)} different bits`);
    },
  },
]);

function idOf(address: string): string {
  return address.replace(/^.*\/devtools\/browser\//, "").replace(/[/?#].*$/, "");
}
