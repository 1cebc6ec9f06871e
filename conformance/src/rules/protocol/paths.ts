import { operations } from "@remote-browser/contract/operations";
import { operationsIn } from "../../contract/versions.ts";
import { unusedAddress } from "../../target/addresses.ts";
import { INFO, response } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import { describe, expectRefusal, expectSuccess, expectThat, show } from "../../session/expect.ts";
import { toObject } from "../../target/json.ts";

const JSON_TYPE = { "Content-Type": "application/json" };

/** Paths and methods. */
export const PATH_RULES = scenarios({ capability: "core" }, [
  {
    id: "RBS-PATH-01",
    at: INFO,
    sentence:
      "Paths are case-insensitive, so `/api/v1/browser/open` reaches the same operation as `/api/v1/Browser/Open`.",
    async check({ main }) {
      for (const path of ["/api/v1/browser/get", "/API/V1/BROWSER/GET"]) {
        expectSuccess(await main.raw({ method: "GET", path }));
      }
      const body = JSON.stringify({ KeepOpen: true, address: unusedAddress() });
      const post = (path: string) => main.raw({ method: "POST", path, headers: JSON_TYPE, body });
      expectRefusal(await post("/api/v1/browser/open"), "BadRequest", "/KeepOpen");
      expectRefusal(await post("/api/v1/browser/CLOSE"), "BrowserNotFound");
      expectRefusal(await post("/api/v1/browser/startremotedesktop"), "BrowserNotFound");
      expectRefusal(await post("/api/V1/Browser/stopRemoteDesktop"), "BrowserNotFound");
      expectRefusal(await post("/api/v1/AI/query"), "BadRequest", "/html");
    },
  },
  {
    id: "RBS-PATH-02",
    at: response("NotFound"),
    sentence: "This path does not exist, regardless of the method and the token.",
    covers: ["NotFound 404"],
    async check({ main }) {
      const paths = ["/api/v1/Browser/Opne", "/api/v1/Browser/Open/More", "/api/v1/ai/Ask"];
      const requests = paths.flatMap((path) =>
        ["GET", "POST", "DELETE"].flatMap((method) =>
          [`Bearer ${main.token}`, "", "Bearer unknown-token"].map((Authorization) => {
            const body = method === "POST" ? "{" : undefined;
            return { method, path, headers: { ...JSON_TYPE, Authorization }, body };
          }),
        ),
      );
      await Promise.all(requests.map(async (request) => expectRefusal(await main.raw(request), "NotFound")));
    },
  },
  {
    id: "RBS-PATH-03",
    at: "#/components/headers/Allow/description",
    sentence: "The methods that this path supports, separated by commas.",
    covers: ["MethodNotAllowed 405"],
    async check({ main, options }) {
      const asked = operationsIn(options.contract).flatMap((id) =>
        ["GET", "POST", "PUT", "PATCH", "DELETE"]
          .filter((method) => method !== operations[id].method.toUpperCase())
          .map((method) => ({ ...operations[id], wrong: method, right: operations[id].method.toUpperCase() })),
      );
      await Promise.all(
        asked.map(async ({ path, wrong, right }) => {
          const exchange = await main.raw({ method: wrong, path });
          expectRefusal(exchange, "MethodNotAllowed");
          const { allow = "" } = exchange.received.headers;
          const methods = allow.split(",").map((each) => each.trim().toUpperCase());
          const isTrue = methods.includes(right) && !methods.includes(wrong);
          expectThat(isTrue, `an Allow header with ${right} but not ${wrong}`, allow === "" ? "none" : allow);
        }),
      );
    },
  },
  {
    id: "RBS-PATH-05",
    at: INFO,
    sentence: "Each deployment serves the contract that it implements at `/openapi.json`.",
    async check({ main, options }) {
      const { received } = await main.raw({ method: "GET", path: "/openapi.json" });
      const { openapi, paths } = toObject(received.json);
      const isContract = received.status === 200 && typeof openapi === "string";
      expectThat(isContract, "200 with an OpenAPI document at /openapi.json", describe(received));
      for (const id of operationsIn(options.contract)) {
        const { path, method } = operations[id];
        const { operationId } = toObject(toObject(toObject(paths)[path])[method]);
        const what = `${id} at ${method.toUpperCase()} ${path} in the served contract`;
        expectThat(operationId === id, what, show(operationId));
      }
    },
  },
]);
