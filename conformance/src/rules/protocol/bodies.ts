import { type OperationId, operations } from "@remote-browser/contract/operations";
import { knownIn } from "../../contract/versions.ts";
import { unusedAddress } from "../../target/addresses.ts";
import { INFO, OPEN, schema } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import type { Account } from "../../session/account.ts";
import { expectRefusal, expectSuccess, expectThat, show } from "../../session/expect.ts";
import type { Exchange } from "../../target/exchange.ts";
import { callOn, forEachOf, REFERRING } from "../../scenario/referring.ts";
import { expectOpened, ownOptions } from "../../scenario/opening.ts";
import { IDEMPOTENCY_KEY } from "../../scenario/records.ts";

const NEEDING = [...REFERRING, "queryAi", "closeAllBrowsers"] as const;
const WITH_BODY = ["openBrowser", "getBrowserHistory", ...NEEDING] as const;

/** Contents of request bodies. */
export const BODY_RULES = scenarios({ capability: "core" }, [
  {
    id: "RBS-BODY-06",
    at: schema("BadRequestProblem", "path"),
    sentence: "The empty string means the body as a whole, for example when it is not JSON.",
    covers: WITH_BODY.map((id) => `${id} 400`),
    async check({ main, options }) {
      const texts = ["{", '{"KeepOpen": 30,}', '{"address": "\u0001"}', "{}{}"];
      await forEachOf(knownIn(options.contract, WITH_BODY), texts, async (id, text) => {
        expectRefusal(await post(main, id, text), "BadRequest", "");
      });
    },
  },
  {
    id: "RBS-BODY-07",
    at: `${OPEN}/description`,
    sentence: "The body is an object.",
    covers: WITH_BODY.map((id) => `${id} 400`),
    async check({ main, options }) {
      await forEachOf(knownIn(options.contract, WITH_BODY), ["[]", '"text"', "30"], async (id, text) => {
        expectRefusal(await post(main, id, text), "BadRequest", "");
      });
    },
  },
  {
    id: "RBS-BODY-08",
    at: "#/components/responses/BadBrowserReference/description",
    sentence: "The request does not name a browser.",
    covers: NEEDING.map((id) => `${id} 400`),
    async check({ main, options }) {
      await forEachOf(knownIn(options.contract, NEEDING), [undefined, ""], async (id, text) => {
        expectRefusal(await post(main, id, text), "BadRequest");
      });
    },
  },
  {
    id: "RBS-BODY-09",
    at: "#/components/responses/BadBrowserReference/description",
    sentence: "The request does not name a browser. `errors` lists each problem.",
    covers: [
      ...["BrowserReference.address", "WaitRequest.address", "UpdateRequest.address"],
      ...REFERRING.map((id) => `${id} 400`),
    ],
    async check({ main, options }) {
      const longest = `${unusedAddress()}?${"x".repeat(2048)}`.slice(0, 2048);
      const wrong = [undefined, "", 5, null, true, [unusedAddress()], `${longest}x`];
      await forEachOf(knownIn(options.contract, REFERRING), wrong, async (id, address) => {
        expectRefusal(await callOn(main, id, { address }), "BadRequest", "/address");
      });
      await forEachOf(knownIn(options.contract, REFERRING), [longest], async (id, address) => {
        expectRefusal(await callOn(main, id, { address }), "BrowserNotFound");
      });
    },
  },
  {
    id: "RBS-BODY-10",
    at: INFO,
    sentence: "Members that this contract does not define are ignored.",
    opens: 1,
    isDetail: true,
    async check({ main, lightest, newLabel }) {
      const unknown = { NoSuchMember: { Headless: 5 }, status: "x", "": null };
      const options = { ...lightest, KeepOpen: 60, Label: newLabel() };
      const address = await expectOpened(() => main.open({ ...unknown, ...options }));
      expectSuccess(await main.call("closeBrowser", { ...unknown, address }));
      const wrong = { ...unknown, html: "<p>Kettle</p>", prompt: "" };
      expectRefusal(await main.query(wrong), "BadRequest", "/prompt");
    },
  },
  {
    id: "RBS-BODY-11",
    at: schema("BadRequestError", "errors"),
    sentence: "Each thing that is wrong, and where.",
    covers: ["openBrowser 400", "queryAi 400"],
    async check({ main }) {
      const options = { KeepOpen: true, Headless: "yes", Stealth: 1, Label: 5, Browser: "2", Args: ["--lang=de", 1] };
      const places = ["/KeepOpen", "/Headless", "/Stealth", "/Label", "/Browser", "/Args/1"];
      expectRefusal(await main.open(options), "BadRequest", ...places);
      const proxied = { Proxy: { Host: 5, Port: 3128 }, Headless: "yes" };
      expectRefusal(await main.open(proxied), "BadRequest", "/Proxy/Host", "/Proxy/Port", "/Headless");
      expectRefusal(await main.query({ prompt: "" }), "BadRequest", "/html", "/prompt");
    },
  },
  {
    id: "RBS-BODY-12",
    since: "1.1",
    at: schema("BadRequestProblem", "path"),
    sentence: "For a header, it is the empty string as well, and `message` names the header.",
    covers: ["openBrowser 400"],
    async check(run) {
      const answer = await run.main.open(ownOptions(run), { headers: { [IDEMPOTENCY_KEY]: "a b" } });
      const { errors } = expectRefusal(answer, "BadRequest", "");
      const isNamed = errors.some(({ message }) => message.toLowerCase().includes("idempotency-key"));
      expectThat(isNamed, `an error whose message names ${IDEMPOTENCY_KEY}`, show(errors));
    },
  },
]);

/** Sends text with `Content-Type: application/json`. */
function post(main: Account, id: OperationId, body: string | undefined): Promise<Exchange> {
  const headers = { "Content-Type": "application/json" };
  return main.raw({ method: "POST", path: operations[id].path, headers, body });
}
