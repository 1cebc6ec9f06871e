import { WAIT, schema } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import type { Account } from "../../session/account.ts";
import { expectEqual, expectRefusal, expectSuccess, expectThat } from "../../session/expect.ts";
import type { Run } from "../../session/run.ts";
import { quit } from "../../scenario/connections.ts";
import { connectDevtools } from "../../target/devtools.ts";
import type { Exchange } from "../../target/exchange.ts";
import { type Named, openNamed, unusedId } from "../../scenario/records.ts";

const DESCRIPTION = `${WAIT}/description`;
const SECONDS = schema("WaitRequest", "seconds");

/** Tolerance for slow networks and for servers that are slow to notice the end of a browser. */
const PROMPT_MS = 3000;
/** Tolerance for imprecise clocks. */
const EARLY_MS = 100;
const DEFAULT_S = 25;
const MAX_S = 50;

/** Waiting for a browser to end. */
export const WAIT_RULES = scenarios({ capability: "core", since: "1.1" }, [
  {
    id: "RBS-WAIT-01",
    at: DESCRIPTION,
    sentence: "Waits until a browser ends, for whatever reason, and responds at that moment",
    covers: ["waitForBrowser 200"],
    opens: 2,
    waitsS: 1,
    async check(run) {
      await expectEndSeen(run, "requested", async ({ address }) => void expectSuccess(await run.main.close(address)));
      await expectEndSeen(run, "exited", ({ address }) => quit(address));
    },
  },
  {
    id: "RBS-WAIT-02",
    at: DESCRIPTION,
    sentence: "or after `seconds`, if it is still open.",
    covers: ["waitForBrowser 200", "WaitRequest.seconds"],
    opens: 1,
    waitsS: 2,
    async check(run) {
      const { address, id } = await openNamed(run);
      await using _ = await connectDevtools(address);
      // If rounded to whole seconds, 1.5 would become 1 or 2.
      const answer = await wait(run.main, { id, seconds: 1.5 });
      expectStillOpen(answer);
      expectDuration(answer, 1500);
      const atOnce = await wait(run.main, { id, seconds: 0 });
      expectStillOpen(atOnce);
      expectDuration(atOnce, 0);
    },
  },
  {
    id: "RBS-WAIT-03",
    at: DESCRIPTION,
    sentence: "For a browser that has ended, the response comes at once.",
    covers: ["waitForBrowser 200"],
    opens: 1,
    async check(run) {
      const { address, id } = await openNamed(run);
      expectSuccess(await run.main.close(address));
      for (const browser of [{ id }, { address }]) {
        const answer = await wait(run.main, { ...browser, seconds: 30 });
        expectEqual("the state of an ended browser", expectSuccess(answer)["state"], "closed");
        expectEqual("its reason", expectSuccess(answer)["reason"], "requested");
        expectDuration(answer, 0);
      }
    },
  },
  {
    id: "RBS-WAIT-04",
    capability: "idle",
    at: DESCRIPTION,
    sentence: "Waiting does not count as activity, so it does not keep the browser open.",
    covers: ["waitForBrowser 200"],
    opens: 1,
    waitsS: 3,
    async check(run) {
      const { id } = await openNamed(run, { KeepOpen: 2 });
      const { state, reason } = expectSuccess(await wait(run.main, { id, seconds: 10 }));
      const seen = JSON.stringify({ state, reason });
      const isClosed = state === "closed" && reason === "inactive";
      expectThat(isClosed, "a browser with KeepOpen 2 to close for inactivity while a Wait request is pending", seen);
    },
  },
  {
    id: "RBS-WAIT-05",
    at: SECONDS,
    sentence: "How many seconds to wait at most, from 0 to 50.",
    covers: ["waitForBrowser 400", "WaitRequest.seconds"],
    opens: 1,
    isDetail: true,
    async check(run) {
      const { address, id } = await openNamed(run);
      const wrong = [-1, -0.001, MAX_S + 0.5, 60, 1e9, "25", true, [25], {}];
      await Promise.all(
        wrong.map(async (seconds) => expectRefusal(await wait(run.main, { id, seconds }), "BadRequest", "/seconds")),
      );
      expectRefusal(await wait(run.main, { id: unusedId(), seconds: 60 }), "BadRequest", "/seconds");
      expectSuccess(await run.main.close(address));
      for (const seconds of [0, MAX_S, null, undefined]) expectSuccess(await wait(run.main, { id, seconds }));
    },
  },
  {
    id: "RBS-WAIT-06",
    at: SECONDS,
    sentence: "`null` counts as omitted, and then it is 25.",
    covers: ["WaitRequest.seconds"],
    opens: 1,
    waitsS: DEFAULT_S + 1,
    isLong: true,
    async check(run) {
      const { id } = await openNamed(run);
      const answers = await Promise.all([wait(run.main, { id }), wait(run.main, { id, seconds: null })]);
      for (const answer of answers) {
        expectStillOpen(answer);
        expectDuration(answer, DEFAULT_S * 1000);
      }
    },
  },
]);

function wait(account: Account, body: object): Promise<Exchange> {
  return account.call("waitForBrowser", body);
}

/** Ends a browser while several clients wait for its end. */
async function expectEndSeen(run: Run, reason: string, end: (browser: Named) => Promise<void>): Promise<void> {
  const { address, id } = await openNamed(run);
  const waits = [{ id }, { address }].map((browser) => wait(run.main, { ...browser, seconds: 30 }));
  const early = await Promise.race([...waits, run.sleep(400)]);
  expectThat(early === undefined, "no response while the browser is open", "a response before `seconds` have passed");
  await end({ address, id });
  const ended = Date.now();
  for (const answer of await Promise.all(waits)) {
    const body = expectSuccess(answer);
    expectEqual("the state after the browser ended", body["state"], "closed");
    expectEqual("its reason", body["reason"], reason);
    const lateMs = answer.endedAt - ended;
    expectThat(lateMs <= PROMPT_MS, "a response as soon as the browser ends", `a response ${lateMs} ms later`);
  }
}

function expectStillOpen(answer: Exchange): void {
  const { state, reason } = expectSuccess(answer);
  expectEqual("the state of an open browser", state, "open");
  expectEqual("its reason", reason, null);
}

function expectDuration({ startedAt, endedAt }: Exchange, ms: number): void {
  const tookMs = endedAt - startedAt;
  const isRight = tookMs >= ms - EARLY_MS && tookMs <= ms + PROMPT_MS;
  expectThat(isRight, `a response after ${ms / 1000} s`, `a response after ${tookMs / 1000} s`);
}
