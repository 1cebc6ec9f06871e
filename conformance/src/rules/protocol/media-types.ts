import { type OperationId, operations } from "@remote-browser/contract/operations";
import { knownIn } from "../../contract/versions.ts";
import { unusedAddress } from "../../target/addresses.ts";
import { response } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import { expectRefusal, expectSuccess } from "../../session/expect.ts";
import type { Account } from "../../session/account.ts";
import { forEachOf } from "../../scenario/referring.ts";
import type { Exchange } from "../../target/exchange.ts";

const WITH_BODY = (Object.keys(operations) as OperationId[]).filter((id) => operations[id].requestSchema !== null);

/** Media types of request bodies. */
export const MEDIA_TYPE_RULES = scenarios({ capability: "core" }, [
  {
    id: "RBS-BODY-04",
    at: response("UnsupportedMediaType"),
    sentence:
      "The request declares its body as something other than JSON, which is `application/json` or a type that ends in `+json`.",
    covers: WITH_BODY.map((id) => `${id} 415`),
    async check({ main, options }) {
      const types = ["text/plain", "application/x-www-form-urlencoded", "application/xml"];
      await forEachOf(knownIn(options.contract, WITH_BODY), types, async (id, type) => {
        // The content is invalid, so the request has no effect even if it is read as JSON.
        expectRefusal(await post(main, id, type, BAD), "UnsupportedMediaType");
      });
    },
  },
  {
    id: "RBS-BODY-05",
    at: response("UnsupportedMediaType"),
    sentence: "A body without any `Content-Type` is read as JSON.",
    async check({ main }) {
      const body = { address: unusedAddress() };
      const types = [undefined, "application/json; charset=utf-8", "application/vnd.example+json", "Application/JSON"];
      await Promise.all(
        types.map(async (type) => {
          expectRefusal(await post(main, "closeBrowser", type, body), "BrowserNotFound");
          expectRefusal(await post(main, "openBrowser", type, BAD), "BadRequest", "/KeepOpen");
          expectRefusal(await post(main, "queryAi", type, BAD), "BadRequest", "/prompt");
        }),
      );
    },
  },
  {
    id: "RBS-BODY-13",
    since: "1.1",
    at: response("UnsupportedMediaType"),
    sentence: "Without a body, the `Content-Type` does not matter.",
    covers: ["closeBrowser 400"],
    async check({ main }) {
      for (const type of ["application/x-www-form-urlencoded", "text/plain"]) {
        expectSuccess(await post(main, "getBrowserHistory", type));
        expectRefusal(await post(main, "closeBrowser", type), "BadRequest");
      }
    },
  },
]);

const BAD = { KeepOpen: true, address: "", html: "", prompt: "", label: 5, since: "" };

/** @param type The Content-Type header, omitted if undefined. */
function post(main: Account, id: OperationId, type: string | undefined, body?: object): Promise<Exchange> {
  const headers: Record<string, string> = type === undefined ? {} : { "Content-Type": type };
  return main.raw({ method: "POST", path: operations[id].path, headers, body: body && JSON.stringify(body) });
}
