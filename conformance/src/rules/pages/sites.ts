import { INFO, schema } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import { expectEqual, expectSuccess, expectThat } from "../../session/expect.ts";
import type { Run } from "../../session/run.ts";
import { connectWhileOpen, disconnect, openIdle } from "../../scenario/inactivity.ts";
import { expectAccepted } from "../../scenario/opening.ts";
import { connectDevtools } from "../../target/devtools.ts";
import { openPage } from "../../target/pages.ts";
import type { Site, Visit } from "../../target/site.ts";
import { NotApplicable, Violation } from "../../target/violation.ts";

const END = "When a browser ends, for whatever reason, its connections to web sites close within five seconds.";
/** `END`'s time, and a second for slow networks. */
const LEFT_MS = 6000;
/** How long a browser may take to reach the site. */
const VISIT_MS = 15_000;
const USER = { Username: "traveller", Password: "correct horse" };

/** What web sites see of browsers. The browsers visit a site of the suite. */
export const SITE_RULES = scenarios({ capability: "sites", since: "1.1", needsSite: true }, [
  {
    id: "RBS-SITE-01",
    at: INFO,
    sentence: END,
    opens: 1,
    async check(run) {
      const address = await expectAccepted(run, {});
      const visit = await visitSite(run, address);
      expectSuccess(await run.main.close(address));
      await expectLeft(run, visit, "Close");
    },
  },
  {
    id: "RBS-SITE-02",
    at: INFO,
    sentence: END,
    opens: 1,
    waitsS: 4,
    async check(run) {
      const browser = await openIdle(run, 3);
      const client = await connectWhileOpen(browser);
      const visit = await visitSite(run, browser.address);
      await disconnect(client);
      // Servers check for inactive browsers periodically.
      await run.sleep(browser.keepOpenMs + 1000);
      await expectLeft(run, visit, "its inactivity period");
    },
  },
  {
    id: "RBS-SITE-03",
    since: "1.0",
    at: schema("OpenOptions", "Proxy"),
    sentence: "The proxy for the browser's traffic.",
    covers: ["OpenOptions.Proxy", "Proxy.Username", "Proxy.Password"],
    opens: 2,
    async check(run) {
      // Browsers that don't reach the site can't reach the proxy either.
      await visitSite(run, await expectAccepted(run, {}));
      const site = await run.site();
      const { hostname: Host, port: Port } = site.url;
      const address = await expectAccepted(run, { Proxy: { Host, Port, ...USER } });
      const visit = await visitPage(run, address, site, "http://site.invalid/");
      const seen = "a request that doesn't arrive at the proxy";
      if (visit === undefined) throw new Violation({ expected: "a browser to use its proxy", seen });
      expectThat(visit.isProxied, "a browser to use its proxy", "a request that isn't for a proxy");
      const credentials = Buffer.from(`${USER.Username}:${USER.Password}`).toString("base64");
      const what = "the credentials that the proxy receives";
      expectEqual(what, visit.headers["proxy-authorization"], `Basic ${credentials}`);
    },
  },
  {
    id: "RBS-SITE-04",
    at: schema("OpenOptions", "Language"),
    sentence: "what sites see in `Accept-Language`",
    covers: ["OpenOptions.Language"],
    opens: 1,
    async check(run) {
      const { headers } = await visitSite(run, await expectAccepted(run, { Language: "de-DE" }));
      const first = headers["accept-language"]?.split(",")[0];
      expectEqual("the first language in Accept-Language with Language de-DE", first, "de-DE");
    },
  },
]);

/**
 * Lets a browser visit the suite's site. The page stays open.
 * @throws {NotApplicable} If the browser can't reach the site.
 */
async function visitSite(run: Run, address: string): Promise<Visit> {
  const site = await run.site();
  const visit = await visitPage(run, address, site, site.url.href);
  if (visit !== undefined) return visit;
  throw new NotApplicable(`The deployment's browsers can't reach the suite's site at ${site.url.origin}.`);
}

/** @returns Undefined if the site sees no visit. */
async function visitPage(run: Run, address: string, site: Site, base: string): Promise<Visit | undefined> {
  const { name, visited } = site.newPage();
  await using devtools = await connectDevtools(address);
  await openPage(devtools, `${base}${name}`);
  return await Promise.race([visited, run.sleep(VISIT_MS).then(() => undefined)]);
}

async function expectLeft(run: Run, { left }: Visit, by: string): Promise<void> {
  const isLeft = await Promise.race([left.then(() => true), run.sleep(LEFT_MS).then(() => false)]);
  const expected = `the connections of a browser that ended by ${by} to close within five seconds`;
  expectThat(isLeft, expected, `a connection to a site that is still open after ${LEFT_MS / 1000} s`);
}
