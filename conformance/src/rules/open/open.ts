import { INFO, OPEN } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import { NoAnswer } from "../../target/no-answer.ts";
import { expectThat } from "../../session/expect.ts";
import { expectAnswer } from "../../scenario/connections.ts";
import type { Run } from "../../session/run.ts";
import { NeverApplicable, NotOffered, Violation } from "../../target/violation.ts";
import { abandonOpen } from "../../target/abandon.ts";
import { connectDevtools } from "../../target/devtools.ts";
import { expectAccepted, expectOpened, expectRefused, ownOptions } from "../../scenario/opening.ts";

/** Maximum wait for a server to notice that the client has disconnected, and to close the browser. */
const GONE_S = 8;
/** If Open is faster than this, it may finish before the server notices that the client has disconnected. */
export const NOTICEABLE_MS = 50;
/** Maximum number of further Open requests to time if the abandoned browser is still listed. */
const TIMED_OPENS = 4;

/** Rules about when Open responds, and what remains after a failed Open. */
export const OPEN_RULES = scenarios({ capability: "core", at: `${OPEN}/description` }, [
  {
    id: "RBS-OPEN-02",
    level: "required",
    sentence: "The call returns once the browser is ready for its first DevTools command.",
    opens: 1,
    async check(run) {
      const address = await expectAccepted(run, {});
      await using devtools = await connectDevtools(address).catch((error: unknown) => {
        if (!(error instanceof NoAnswer)) throw error;
        throw new Violation({
          expected: "a DevTools connection to succeed at the address that Open returned",
          seen: error.message,
        });
      });
      await expectAnswer(devtools);
    },
  },
  {
    id: "RBS-OPEN-07",
    sentence: "It may be `{}`, and it may be missing altogether, with or without a `Content-Type`.",
    opens: 3,
    atOnce: 1,
    async check({ main }) {
      const typed = { headers: { "Content-Type": "application/json" } };
      for (const send of [
        () => main.call("openBrowser"),
        () => main.call("openBrowser", undefined, typed),
        () => main.call("openBrowser", {}),
      ]) {
        const address = await expectOpened(send).catch((error: unknown) => {
          // Without graphical browsers, the documented refusal shows that the body is accepted.
          if (!(error instanceof NotOffered)) throw error;
        });
        if (address !== undefined) await main.close(address);
      }
    },
  },
  {
    id: "RBS-OPEN-20",
    sentence: "If you disconnect before that, the browser is not opened, and nothing is charged.",
    opens: 2 + TIMED_OPENS,
    atOnce: 2,
    isDetail: true,
    async check(run) {
      const { main, options, sleep } = run;
      const abandoned = { ...ownOptions(run), Args: ["--window-size=1013,709"] };
      await abandonOpen(options.baseUrl, { Authorization: `Bearer ${main.token}` }, abandoned);
      const timed = [await openMs(run, { Args: abandoned.Args })];
      // The abandoned Open must be done, because a later Open is done. Give the server time to notice the disconnect.
      await sleep(1000);
      const find = async (): Promise<string | undefined> =>
        (await main.listBrowsers()).find(({ label }) => label === abandoned.Label)?.address;
      const left = await find();
      if (left === undefined) return;
      // On a busy machine, a single request can be slow even if Open itself is fast.
      while (timed.length <= TIMED_OPENS && Math.min(...timed) >= NOTICEABLE_MS) {
        timed.push(await openMs(run, { Args: abandoned.Args }));
      }
      const quickest = Math.min(...timed);
      if (quickest < NOTICEABLE_MS) {
        await main.close(left);
        throw new NeverApplicable(`Open takes only ${quickest} ms, so a client can't disconnect before the response.`);
      }
      for (let waits = 0; waits < GONE_S; waits += 1) {
        await sleep(1000);
        if ((await find()) === undefined) return;
      }
      await main.close(left);
      const seen = `a browser that is still listed ${GONE_S} s after an Open request that takes ${quickest} ms`;
      throw new Violation({ expected: "no browser for a client that disconnects immediately", seen });
    },
  },
  {
    id: "RBS-OPEN-23",
    at: INFO,
    sentence: "A refused request changes nothing.",
    covers: ["openBrowser 400"],
    async check(run) {
      const { main, newLabel } = run;
      const mistakes = [
        { Browser: 1 },
        { Headless: "true" },
        { KeepOpen: -1 },
        { Proxy: { Host: "proxy.invalid", Port: 3128 } },
      ];
      const wrong = mistakes.map((mistake) => ({ Label: newLabel(), ...mistake }));
      for (const options of wrong) await expectRefused(run, options);
      const labels = wrong.map(({ Label }) => Label);
      const left = (await main.listBrowsers()).filter(({ label }) => labels.includes(String(label)));
      for (const { address } of left) await main.close(address);
      expectThat(left.length === 0, "no browsers after rejected Open requests", `${left.length} in the list`);
    },
  },
]);

/** Measures how long Open takes, excluding the round-trip time. */
export async function openMs(run: Run, options: object): Promise<number> {
  const { main } = run;
  const idle = await main.get();
  await main.close(await expectAccepted(run, options));
  const opening = run.exchanges.findLast(({ operation }) => operation === "openBrowser") ?? idle;
  return Math.max(0, opening.endedAt - opening.startedAt - (idle.endedAt - idle.startedAt));
}
