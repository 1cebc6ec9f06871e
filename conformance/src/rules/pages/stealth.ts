import { schema } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import { expectThat } from "../../session/expect.ts";
import { connectDevtools } from "../../target/devtools.ts";
import { openPage } from "../../target/pages.ts";
import { expectAccepted } from "../../scenario/opening.ts";

/** Signs of automation that pages can see. */
export const STEALTH_RULES = scenarios({ capability: "stealth", at: schema("OpenOptions", "Stealth") }, [
  {
    id: "RBS-STEALTH-01",
    sentence: "no automation switch",
    async check({ shared }) {
      const seen = await evaluate(await shared("headless"), "navigator.webdriver");
      expectThat(seen !== true, "navigator.webdriver not to be true without Stealth", "true");
    },
  },
  {
    id: "RBS-STEALTH-02",
    level: "recommended",
    sentence: "a user agent, language and time zone that are consistent",
    async check({ shared }) {
      const seen = String(await evaluate(await shared("headless"), "navigator.userAgent"));
      expectThat(!/headless/i.test(seen), "a user agent that doesn't contain Headless when Stealth is omitted", seen);
    },
  },
  {
    id: "RBS-STEALTH-03",
    level: "required",
    sentence: "Whether the browser hides",
    covers: ["OpenOptions.Stealth"],
    opens: 1,
    check: (run) => expectAccepted(run, { Stealth: false }),
  },
]);

async function evaluate(address: string, expression: string): Promise<unknown> {
  await using devtools = await connectDevtools(address);
  await using page = await openPage(devtools);
  return await page.evaluate(expression);
}
