import { response, schema } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import { describe, expectRefusal, expectSuccess, expectThat } from "../../session/expect.ts";
import { idOf, unknownAddress, withId } from "../../target/addresses.ts";

/** Rules about how Close finds a browser by its address. */
export const CLOSE_ADDRESS_RULES = scenarios({ capability: "core", opens: 1 }, [
  {
    id: "RBS-CLOSE-03",
    at: schema("BrowserReference", "address"),
    sentence: "scheme, host, path prefix and query make no difference, and the scheme is optional",
    covers: ["BrowserReference.address"],
    async check({ main }) {
      const address = await main.openBrowser();
      const path = `/devtools/browser/${idOf(address)}`;
      const forms = [
        address.replace(/^wss?:\/\//, ""),
        address.replace(/^wss?:/, (scheme) => (scheme === "ws:" ? "wss:" : "ws:")),
        address.replace(/^ws/, "http"),
        `ws://elsewhere.invalid:9999${path}`,
        `ws://${new URL(address).host}/another/prefix${path}`,
        `${address}?trace=1`,
      ];
      // Stop looks up browsers in the same way as Close, but leaves them open.
      for (const form of forms) {
        const { received } = await main.stopDesktop(form);
        expectThat(received.status !== 404, `the browser to be found as ${form}`, describe(received));
      }
      expectSuccess(await main.close(`elsewhere.invalid/another/prefix${path}?trace=1`));
      expectThat((await main.find(address)) === undefined, "the browser not to be listed", "a listed browser");
    },
  },
  {
    id: "RBS-CLOSE-06",
    at: response("BrowserNotFound"),
    sentence: "No open browser of this account has that address or id",
    covers: ["closeBrowser 404", "BrowserReference.address"],
    async check({ main, options }) {
      const address = await main.openBrowser();
      const id = idOf(address);
      const harmless = [
        unknownAddress(address),
        withId(address, `${id}A`),
        "ws://",
        "no address at all",
        `ws://${"x".repeat(2043)}`,
      ];
      // With these addresses, a faulty server could close unrelated browsers, so only the `full` profile sends them.
      const risky = [withId(address, id.slice(0, -1)), address.slice(0, -id.length), "../../%00 ' OR 1=1 -- 😀"];
      for (const stranger of [...harmless, ...(options.profile === "full" ? risky : [])])
        expectRefusal(await main.close(stranger), "BrowserNotFound");
      expectThat((await main.find(address)) !== undefined, "all browsers to stay open", "a browser that isn't listed");
    },
  },
]);
