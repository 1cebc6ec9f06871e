import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { startFaultyServer } from "../../proof/faulty-server.ts";
import type { OpenBrowser } from "../../../server/test/interface.ts";
import type { Fault } from "../../proof/mutant.ts";
import { onAnswer } from "../../proof/faults/alter.ts";
import { onBrowser, onBrowsers, onDesktops } from "../../proof/faults/use-cases.ts";
import type { Finding } from "../run/verdict.ts";
import type { RuleId } from "../contract/vocabulary.ts";
import { MODEL_RULES } from "../rules/random/model.ts";
import { checkScenario } from "../run/check-rule.ts";
import { Session } from "../session/session.ts";
import type { Profile } from "../session/run-options.ts";
import { HAS_VARIANTS, variant } from "../../../server/test/support/variants.ts";

type Seen = { readonly verdict: string; readonly steps: readonly string[]; readonly finding: Finding | undefined };

async function check(id: RuleId, fault: Fault, profile: Profile = "full"): Promise<Seen> {
  await using server = await startFaultyServer(fault);
  await using session = new Session({
    baseUrl: server.url.href,
    token: server.token,
    tokens: {},
    unitsLeft: undefined,
    contract: "1.1",
    profile,
    labelPrefix: `conformance-${randomBytes(4).toString("hex")}`,
    rules: [],
    seed: 1,
    rate: undefined,
    parallel: 4,
  });
  const rule = MODEL_RULES.find((each) => each.id === id);
  if (rule === undefined) throw new Error(`Rule ${id} doesn't exist.`);
  const { verdict, reason, findings } = await checkScenario(session, rule);
  if (reason !== null) throw new Error(reason);
  const [, ...steps] = findings[0]?.seen.split("\n") ?? [];
  return { verdict, steps, finding: findings[0] };
}

/** For rules that find no failure: the quick tests send fewer and shorter sequences. */
const CALM: Profile = HAS_VARIANTS ? "full" : "deploy";

/** Returns the steps without their options and responses. */
function wordsOf({ steps }: Seen): readonly string[] {
  return steps.map((step) =>
    step
      .replace(/^\d+\. */, "")
      .replace(/ →.*$/, "")
      .replace(/ \{.*$/, ""),
  );
}

test.for(MODEL_RULES.map(({ id }) => id))("%s passes on the correct server", async (id) => {
  expect((await check(id, {}, CALM)).verdict).toBe("pass");
});

variant(
  "a second Close request that succeeds is detected, and the sequence shrinks to at most three steps",
  async () => {
    const seen = await check(
      "RBS-MODEL-01",
      onAnswer("closeBrowser", ({ status, body }) =>
        body["name"] === "BrowserNotFound" ? { status: 200, body: { status: 200 } } : { status, body },
      ),
    );
    expect(seen.verdict).toBe("fail");
    expect(seen.steps.length).toBeLessThanOrEqual(3);
  },
);

test("a browser that remains listed after Close is detected in three steps, which curl commands can reproduce", async () => {
  const seen = await check(
    "RBS-MODEL-01",
    onBrowsers((browsers) => {
      const opened: OpenBrowser[] = [];
      return {
        async openNew(...call) {
          const browser = await browsers.openNew(...call);
          opened.push(browser);
          return browser;
        },
        // Browsers opened with an Idempotency-Key are listed correctly.
        list(account) {
          const all = new Set([...opened, ...browsers.list(account)]);
          return [...all].toSorted((a, b) => a.openedAt.getTime() - b.openedAt.getTime());
        },
      };
    }),
  );
  expect(seen.verdict).toBe("fail");
  expect(wordsOf(seen)).toEqual(["Open", "Close browser 1", "Get"]);
  expect(seen.finding?.exchanges.map(({ request }) => request.replace(/^.*\//, ""))).toEqual(["Open", "Close", "Get"]);
});

variant("passwords reused after a restart are detected", async () => {
  const seen = await check(
    "RBS-MODEL-03",
    onAnswer("startRemoteDesktop", ({ status, body }) => ({
      status,
      body: status === 200 ? { ...body, password: "always12", viewPassword: "always34" } : body,
    })),
  );
  expect(seen.verdict).toBe("fail");
  expect(seen.steps.length).toBeLessThanOrEqual(4);
});

variant("a Close request that leaves the browser open is detected", async () => {
  const seen = await check(
    "RBS-MODEL-01",
    onBrowser(() => ({ close: async () => {} })),
  );
  expect(seen.verdict).toBe("fail");
  expect(seen.steps.length).toBeLessThanOrEqual(3);
});

variant("a Stop request that has no effect is detected", async () => {
  const seen = await check(
    "RBS-MODEL-03",
    onDesktops(() => ({ stop: async () => {} })),
  );
  expect(seen.verdict).toBe("fail");
  expect(seen.steps.length).toBeLessThanOrEqual(4);
});

variant("concurrent Start requests with different passwords are detected and reported as concurrent", async () => {
  const seen = await check(
    "RBS-MODEL-04",
    onDesktops((desktops) => {
      let under = 0;
      return {
        async start(...call) {
          under += 1;
          try {
            await new Promise((resolve) => {
              setTimeout(resolve, 20);
            });
            const access = await desktops.start(...call);
            return under > 1 ? { ...access, passwords: { full: word(), viewOnly: word() } } : access;
          } finally {
            under -= 1;
          }
        },
      };
    }),
  );
  expect(seen.verdict).toBe("fail");
  expect(seen.steps.length).toBeLessThanOrEqual(3);
  expect(wordsOf(seen)).toContain("at the same time: StartRemoteDesktop browser 1");
});

variant("a failure that can't be reproduced is reported as seen once", async () => {
  let closes = 0;
  const seen = await check(
    "RBS-MODEL-01",
    onAnswer("closeBrowser", ({ status, body }) => {
      if (status === 200) closes += 1;
      return closes === 3 && status === 200 ? { status: 500, body: {} } : { status, body };
    }),
  );
  expect(seen.verdict).toBe("fail");
  expect(seen.finding?.seen).toContain("seen once, but not when repeated");
});

test("on a full machine, the result is undecided", async () => {
  const full = onAnswer("openBrowser", ({ status, body }) =>
    status === 200 ? { status: 404, body: { status: 404, name: "BrowserLimit" } } : { status, body },
  );
  await expect(check("RBS-MODEL-01", full, CALM)).rejects.toThrow("No browser could be opened");
});

function word(): string {
  return randomBytes(4).toString("hex");
}
