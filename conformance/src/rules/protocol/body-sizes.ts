import { type OperationId, operations } from "@remote-browser/contract/operations";
import { knownIn } from "../../contract/versions.ts";
import { unusedAddress } from "../../target/addresses.ts";
import { OPEN, QUERY, response } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import { describe, expectRefusal, expectThat } from "../../session/expect.ts";
import type { Run } from "../../session/run.ts";
import { padded, sendLarge } from "../../scenario/send-large.ts";
import type { Received } from "../../target/exchange.ts";

const OF_BROWSERS = [
  ...(["openBrowser", "closeBrowser", "startRemoteDesktop", "stopRemoteDesktop"] as const),
  ...(["getBrowserInfo", "getBrowserHistory", "waitForBrowser", "updateBrowser", "closeAllBrowsers"] as const),
  "takeScreenshot",
] as const;

/** Sizes of request bodies. */
export const BODY_SIZE_RULES = scenarios({ capability: "core" }, [
  {
    id: "RBS-BODY-01",
    at: response("PayloadTooLarge"),
    sentence: "The body is larger than this operation accepts. The limit is in `x-max-body-bytes`.",
    covers: OF_BROWSERS.map((id) => `${id} 413`),
    async check(run) {
      const send = async (id: OperationId) => expectRefusal(await sendSized(run, id, 1), "PayloadTooLarge");
      await Promise.all(knownIn(run.options.contract, OF_BROWSERS).map(send));
    },
  },
  {
    id: "RBS-BODY-02",
    at: `${OPEN}/requestBody/description`,
    sentence: "The options; at most 64 KiB.",
    async check(run) {
      const send = async (id: (typeof OF_BROWSERS)[number]): Promise<void> => {
        const answer = await sendSized(run, id, 0);
        expectNotTooLarge(answer, id);
        // The content is also invalid, so that no browser opens; the server checks the size first.
        const [wrong] = Object.keys(BODIES[id] ?? {});
        if (wrong === undefined) expectRefusal(answer, "BrowserNotFound");
        else expectRefusal(answer, "BadRequest", `/${wrong}`);
      };
      await Promise.all(knownIn(run.options.contract, OF_BROWSERS).map(send));
      expectNotTooLarge(await sendSized(run, "queryAi", 0), "queryAi");
    },
  },
  {
    id: "RBS-BODY-03",
    at: `${QUERY}/requestBody/description`,
    sentence: "The document and the instruction; at most 4 MiB together.",
    covers: ["queryAi 413"],
    check: async (run) => expectRefusal(await sendSized(run, "queryAi", 1), "PayloadTooLarge"),
  },
]);

type Answer = { readonly received: Received };

function expectNotTooLarge({ received }: Answer, id: OperationId): void {
  const expected = `a body of ${operations[id].maxBodyBytes} bytes, the limit, to be accepted`;
  expectThat(received.status !== 413, expected, describe(received));
}

/** Sends a body that exceeds the operation's limit by `more` bytes. */
function sendSized(run: Run, id: OperationId, more: number): Promise<Answer> {
  const { path, maxBodyBytes } = operations[id];
  const body = padded(BODIES[id] ?? { address: unusedAddress(), keepOpen: 30 }, (maxBodyBytes ?? 0) + more);
  return sendLarge(run, { method: "POST", path, headers: { "Content-Type": "application/json" }, body });
}

/** Bodies that have no effect because a member is invalid. Requests for other operations name a nonexistent browser. */
const BODIES: Partial<Record<OperationId, object>> = {
  openBrowser: { KeepOpen: true },
  getBrowserHistory: { since: "" },
  closeAllBrowsers: { label: 5 },
  queryAi: { html: "<p>Kettle</p>", prompt: "" },
};
