import { DECLARED, type Declared } from "../../contract/vocabulary.ts";
import { ownOptions } from "../../scenario/opening.ts";
import { sendWithRetries } from "../../session/account.ts";
import { expectEqual, expectRefusal, expectThat, show } from "../../session/expect.ts";
import type { Run } from "../../session/run.ts";
import type { Exchange } from "../../target/exchange.ts";
import { isObject, toObject } from "../../target/json.ts";
import { NeverApplicable } from "../../target/violation.ts";
import { INFO } from "../pointers.ts";
import { scenarios } from "../rule.ts";

/** Rules about what a deployment declares as missing, and about how it then responds. */
export const OFFER_RULES = scenarios({ capability: "core", since: "1.1", at: INFO }, [
  {
    id: "RBS-OFFER-01",
    sentence:
      "The contract that a deployment serves at `/openapi.json` has a member `x-capabilities` with these members, each `true` or `false`",
    async check(run) {
      const declared = await readDeclared(run);
      expectThat(isObject(declared), "x-capabilities in the served contract", show(declared));
      for (const name of DECLARED.filter((each) => each in declared)) {
        expectThat(typeof declared[name] === "boolean", `${name} to be true or false`, show(declared[name]));
      }
    },
  },
  {
    id: "RBS-OFFER-02",
    sentence: "A deployment without graphical browsers has no remote desktops either, so it declares both as `false`.",
    async check(run) {
      await expectLacking(run, "graphical");
      expectEqual("desktop, while graphical is false,", toObject(await readDeclared(run))["desktop"], false);
    },
  },
  {
    id: "RBS-OFFER-03",
    sentence:
      "refuses to open a browser with a graphical interface, which is the default, with 503 `BrowserUnavailable`",
    covers: ["openBrowser 503"],
    opens: 1,
    async check(run) {
      await expectLacking(run, "graphical");
      const { Headless: _, ...graphical } = ownOptions(run);
      expectNoRetry(expectRefused(await run.main.open(graphical), "BrowserUnavailable"));
    },
  },
  {
    id: "RBS-OFFER-04",
    sentence: "refuses to start a remote desktop with 409 `DesktopUnavailable`, whatever the browser is",
    async check(run) {
      await expectLacking(run, "desktop");
      const kind = toObject(await readDeclared(run))["graphical"] === false ? "headless" : "graphical";
      expectNoRetry(expectRefused(await run.main.startDesktop(await run.shared(kind)), "DesktopUnavailable"));
    },
  },
  {
    id: "RBS-OFFER-05",
    sentence: "refuses a query with 503 `ProviderUnavailable`, unless the account has a provider key of its own",
    async check(run) {
      await expectLacking(run, "ai");
      const query = { prompt: "What is the title?", html: "<title>One</title>", responseFormat: "text" };
      const answer = await sendWithRetries(() => run.main.query(query));
      if (answer.received.status === 200) throw new NeverApplicable("The account has a provider key of its own.");
      expectNoRetry(expectRefused(answer, "ProviderUnavailable"));
    },
  },
]);

async function readDeclared({ main }: Run): Promise<unknown> {
  const { received } = await main.raw({ method: "GET", path: "/openapi.json" });
  return toObject(received.json)["x-capabilities"];
}

/** @throws {NeverApplicable} If the deployment doesn't declare that it lacks the capability. */
async function expectLacking(run: Run, name: Declared): Promise<void> {
  if (toObject(await readDeclared(run))[name] !== false) {
    throw new NeverApplicable(`The rule is only for deployments that declare ${name} as missing.`);
  }
}

function expectRefused(exchange: Exchange, name: Parameters<typeof expectRefusal>[1]): Exchange {
  expectRefusal(exchange, name);
  return exchange;
}

function expectNoRetry({ received }: Exchange): void {
  const retryAfter = received.headers["retry-after"];
  expectThat(retryAfter === undefined, "no Retry-After header", `Retry-After: ${retryAfter}`);
}
