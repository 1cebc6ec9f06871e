import { response } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import { describe, expectRefusal, expectThat } from "../../session/expect.ts";
import { NotApplicable } from "../../target/violation.ts";
import type { Exchange } from "../../target/exchange.ts";
import type { Account } from "../../session/account.ts";

const MAX_REQUESTS = 400;
const AT_ONCE = 20;
const MAX_WAIT_S = 65;
/** Maximum number of tries. Other clients may use up the same account's rate limit. */
const TRIES = 3;

/** Rules about responses to too many requests. */
export const RATE_RULES = scenarios({ capability: "quota" }, [
  {
    id: "RBS-RATE-01",
    at: response("TooManyRequests"),
    sentence: "Requests from this account arrive faster than the operator allows.",
    covers: ["getBrowsers 429"],
    waitsS: 5,
    isLong: true,
    needs: ["rate-limited"],
    async check({ account, sleep }) {
      const limited = account("rate-limited");
      let refusal = await askUntilRefused(limited);
      for (let tries = 1; ; tries += 1) {
        expectRefusal(refusal, "TooManyRequests");
        const retryAfter = refusal.received.headers["retry-after"];
        const isSeconds = /^[1-9]\d*$/.test(retryAfter ?? "");
        expectThat(isSeconds, "Retry-After with a number of seconds", retryAfter ?? "no Retry-After");
        const waitS = Number(retryAfter);
        if (waitS > MAX_WAIT_S) throw new NotApplicable(`Retry-After is ${waitS} s, longer than the rule may wait.`);
        await sleep(waitS * 1000);
        refusal = await limited.call("getBrowsers", undefined, { isPatient: false });
        if (refusal.received.status === 200) return;
        const expected = `200 after waiting ${waitS} s, as Retry-After requires`;
        expectThat(tries < TRIES, expected, `${describe(refusal.received)} after ${TRIES} tries`);
      }
    },
  },
]);

/** @throws {NotApplicable} When no request is rejected. */
async function askUntilRefused(account: Account): Promise<Exchange> {
  for (let sent = 0; sent < MAX_REQUESTS; sent += AT_ONCE) {
    const asked = Array.from({ length: AT_ONCE }, () => account.call("getBrowsers", undefined, { isPatient: false }));
    const refusal = (await Promise.all(asked)).find(({ received }) => received.status !== 200);
    if (refusal !== undefined) return refusal;
  }
  throw new NotApplicable(`The server accepted ${MAX_REQUESTS} requests in quick succession.`);
}
