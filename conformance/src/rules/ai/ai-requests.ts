import { schema } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import { type Account, sendWithRetries } from "../../session/account.ts";
import { describe, expectRefusal } from "../../session/expect.ts";
import { Undecidable } from "../../target/violation.ts";

const RIGHT = { html: "<p>Kettle, <b>39.90 €</b></p>", prompt: "What does it cost?" };
const MAX_SCHEMA_CHARS = 65_536;
/** Too deep for any server. The contract allows 64 levels, but servers may count objects and arrays differently. */
const TOO_DEEP = 140;

/** Rules about queries that the service rejects before calling a language model. */
export const AI_REQUEST_RULES = scenarios({ capability: "ai" }, [
  {
    id: "RBS-AI-01",
    at: schema("QueryRequest", "prompt"),
    sentence: "The instruction, in plain words. It must not be empty.",
    covers: ["queryAi 400", "QueryRequest.html", "QueryRequest.prompt"],
    async check({ main }) {
      await expectRefused(main, {}, "/html", "/prompt");
      for (const wrong of [undefined, "", 5, null]) {
        await expectRefused(main, { ...RIGHT, html: wrong }, "/html");
        await expectRefused(main, { ...RIGHT, prompt: wrong }, "/prompt");
      }
    },
  },
  {
    id: "RBS-AI-02",
    at: schema("QueryRequest", "responseFormat"),
    sentence: "Any other string is a `BadRequest`",
    covers: ["queryAi 400", "QueryRequest.responseFormat"],
    async check({ main }) {
      const wrong = ["", "xml", "JSON", " text", "5", "[]", "null", '"text"', '{"type":', 5, { type: "number" }];
      await expectFormatsRefused(main, wrong);
    },
  },
  {
    id: "RBS-AI-08",
    at: schema("QueryRequest", "responseFormat"),
    sentence:
      "and so is a schema that is not valid, is longer than 65,536 characters, is nested more than 64 levels deep, or takes too long to check an answer against.",
    covers: ["queryAi 400", "QueryRequest.responseFormat"],
    async check({ main }) {
      const { length } = JSON.stringify({ type: "number", description: "" });
      let nested: object = { type: "number" };
      for (let levels = 1; levels < TOO_DEEP; levels += 1) nested = { not: nested };
      const schemas = [
        { type: "nonsense" },
        { type: "array", minItems: -1 },
        { type: "object", required: "price" },
        { $ref: "#/$defs/nowhere" },
        { $ref: "https://schemas.invalid/price.json" },
        { type: "number", description: "x".repeat(MAX_SCHEMA_CHARS - length + 1) },
        nested,
      ];
      await expectFormatsRefused(
        main,
        schemas.map((each) => JSON.stringify(each)),
      );
    },
  },
]);

async function expectFormatsRefused(main: Account, formats: readonly unknown[]): Promise<void> {
  await Promise.all(
    formats.map((responseFormat) => expectRefused(main, { ...RIGHT, responseFormat }, "/responseFormat")),
  );
}

async function expectRefused(main: Account, body: object, ...places: readonly string[]): Promise<void> {
  const exchange = await sendWithRetries(() => main.query(body));
  // A busy server may reject the request before reading it.
  if (exchange.received.status === 503 && exchange.received.headers["retry-after"] !== undefined) {
    throw new Undecidable(`The service does not currently accept queries: ${describe(exchange.received)}.`);
  }
  expectRefusal(exchange, "BadRequest", ...places);
}
