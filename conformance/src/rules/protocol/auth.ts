import { randomBytes } from "node:crypto";
import { type OperationId, operations } from "@remote-browser/contract/operations";
import { NEWEST_VERSION, operationsIn } from "../../contract/versions.ts";
import { unusedAddress } from "../../target/addresses.ts";
import { INFO } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import { NeverApplicable } from "../../target/violation.ts";
import { inOtherCase } from "../../session/secrets.ts";
import { expectRefusal, expectSuccess, expectThat } from "../../session/expect.ts";
import type { Run } from "../../session/run.ts";

const BEARER = "#/components/securitySchemes/bearerAuth/description";
const IDS = operationsIn(NEWEST_VERSION);

/** Authentication. */
export const AUTH_RULES = scenarios({ capability: "core" }, [
  {
    id: "RBS-AUTH-01",
    level: "required",
    at: BEARER,
    sentence: "Every operation needs it, including Query.",
    covers: IDS.map((id) => `${id} 401`),
    async check(run) {
      await Promise.all(operationsIn(run.options.contract).map((id) => expectUnauthorized(run, id, "")));
    },
  },
  {
    id: "RBS-AUTH-02",
    level: "required",
    at: "#/components/responses/AuthorizationError/description",
    sentence: "The token is missing or incorrect.",
    covers: IDS.map((id) => `${id} 401`),
    async check(run) {
      const { main, options } = run;
      const unknown = unknownToken();
      // Send only part of the token, because reports include requests.
      const cut = main.token.slice(0, Math.ceil(main.token.length / 4));
      const wrong = [unknown, `Bearer ${cut}`, `Bearer ${main.token}x`, "Bearer ", `Basic ${main.token}`];
      await Promise.all([
        ...wrong.map((authorization) => expectUnauthorized(run, "getBrowsers", authorization)),
        ...operationsIn(options.contract).map((id) => expectUnauthorized(run, id, unknown)),
      ]);
    },
  },
  {
    id: "RBS-AUTH-05",
    at: BEARER,
    sentence: "Tokens are case-sensitive.",
    covers: ["getBrowsers 401"],
    async check(run) {
      const other = inOtherCase(run.main.token);
      if (other === run.main.token) throw new NeverApplicable("The token of --token has no letters.");
      expectSuccess(await run.main.get());
      await expectUnauthorized(run, "getBrowsers", `Bearer ${other}`);
    },
  },
  {
    id: "RBS-AUTH-03",
    at: "#/components/headers/WWW-Authenticate/description",
    sentence: "How to authenticate, which is always `Bearer`.",
    covers: ["getBrowsers 401"],
    async check({ main }) {
      for (const Authorization of ["", unknownToken()]) {
        const exchange = await main.call("getBrowsers", undefined, { headers: { Authorization } });
        expectRefusal(exchange, "AuthorizationError");
        const { "www-authenticate": scheme = "none" } = exchange.received.headers;
        expectThat(/^Bearer\b/i.test(scheme), "the header WWW-Authenticate: Bearer", scheme);
      }
    },
  },
  {
    id: "RBS-AUTH-04",
    at: INFO,
    sentence: "A refused request changes nothing.",
    opens: 1,
    async check(run) {
      const { main, newLabel } = run;
      const address = await main.openBrowser();
      const Label = newLabel();
      for (const Authorization of ["", unknownToken()]) {
        const headers = { Authorization };
        await main.call("closeBrowser", { address }, { headers });
        await main.call("openBrowser", { ...validBody("openBrowser", run), Label }, { headers });
      }
      const listed = await main.listBrowsers();
      const isOpen = listed.some((each) => each.address === address);
      expectThat(isOpen, "the browser to remain open after an unauthorized Close", "a closed page");
      const isOpened = listed.some(({ label }) => label === Label);
      expectThat(!isOpened, "no browser after an unauthorized Open", "a matching browser that is still listed");
    },
  },
]);

function unknownToken(): string {
  return `Bearer ${randomBytes(24).toString("base64url")}`;
}

/** @throws {Violation} If a request that is valid except for its token isn't rejected. */
async function expectUnauthorized(run: Run, id: OperationId, Authorization: string): Promise<void> {
  expectRefusal(await run.main.call(id, validBody(id, run), { headers: { Authorization } }), "AuthorizationError");
}

/** Returns a body that the operation accepts. */
function validBody(id: OperationId, { newLabel }: Run): object | undefined {
  switch (operations[id].requestSchema) {
    case "OpenOptions":
      return { Headless: true, KeepOpen: 30, Label: newLabel() };
    case "BrowserReference":
    case "WaitRequest":
      return { address: unusedAddress() };
    case "UpdateRequest":
      return { address: unusedAddress(), keepOpen: 30 };
    case "CloseAllRequest":
      return { label: newLabel() };
    case "HistoryRequest":
      return { tag: newLabel() };
    case "QueryRequest":
      return { html: "<p>Kettle</p>", prompt: "What is being sold?" };
    case null:
      return undefined;
  }
}
