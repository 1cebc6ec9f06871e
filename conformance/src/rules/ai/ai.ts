import { QUERY, schema } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import { NotApplicable, NotOffered, Undecidable } from "../../target/violation.ts";
import { type Account, sendWithRetries } from "../../session/account.ts";
import { describe, expectEqual, expectSuccess, expectThat, toErrorBody } from "../../session/expect.ts";
import { parse, toObject } from "../../target/json.ts";

const FORMAT = schema("QueryRequest", "responseFormat");
const KETTLE = { html: "<p>Kettle, 1.7 litres, <b>39.90 €</b></p>", prompt: "What is it, and what does it cost?" };
const PRICE = { html: KETTLE.html, prompt: "What does it cost? The number alone." };

/** Rules about the form of a language model's answers. The content is not tested. */
export const AI_RULES = scenarios({ capability: "ai", covers: ["queryAi 200"] }, [
  {
    id: "RBS-AI-03",
    at: schema("QueryResult", "value"),
    sentence: "It is missing for `text`.",
    check: async ({ main }) => expectText(await askModel(main, { ...KETTLE, responseFormat: "text" })),
  },
  {
    id: "RBS-AI-04",
    at: schema("QueryResult", "value"),
    sentence: "The result as JSON, for the response formats `json` and JSON Schema",
    check: async ({ main }) => expectValue(await askModel(main, { ...KETTLE, responseFormat: "json" })),
  },
  {
    id: "RBS-AI-05",
    at: FORMAT,
    sentence: 'a JSON Schema, written as JSON text, for example `{"type":"number"}`: JSON that matches it.',
    check: async ({ main }) =>
      expectProduct(expectValue(await askModel(main, { ...KETTLE, responseFormat: JSON.stringify(PRODUCT) }))),
  },
  {
    id: "RBS-AI-06",
    at: FORMAT,
    sentence: "The schema's root may be of any type, so an answer can be a bare number or string.",
    check: async ({ main }) =>
      expectNumber(expectValue(await askModel(main, { ...PRICE, responseFormat: '{"type":"number"}' }))),
  },
  {
    id: "RBS-AI-07",
    at: FORMAT,
    sentence: "It is read as JSON Schema 2020-12, unless its `$schema` names 2019-09 or draft-07",
    async check({ main }) {
      // JSON Schema 2020-12 no longer allows lists of schemas in `items`.
      const Tags = { type: "array", items: [{ type: "string" }] };
      const properties = { ...PRODUCT.properties, tags: Tags };
      const draft07 = { $schema: "http://json-schema.org/draft-07/schema#", ...PRODUCT, properties };
      const ofPrice = { $ref: "#/$defs/price", $defs: { price: { type: "number" } } };
      const draft2019 = { $schema: "https://json-schema.org/draft/2019-09/schema", ...ofPrice };
      expectProduct(expectValue(await askModel(main, { ...KETTLE, responseFormat: JSON.stringify(draft07) })));
      expectNumber(expectValue(await askModel(main, { ...PRICE, responseFormat: JSON.stringify(draft2019) })));
    },
  },
  {
    id: "RBS-AI-09",
    capability: "quota",
    at: `${QUERY}/description`,
    sentence: "Like all operations, this one needs the account's token, but neither a subscription nor units.",
    needs: ["no-subscription", "no-units"],
    async check({ account }) {
      for (const name of ["no-subscription", "no-units"] as const) await askModel(account(name), KETTLE);
    },
  },
  {
    id: "RBS-AI-10",
    at: FORMAT,
    sentence: "If it is omitted or `null`, the result is plain text.",
    async check({ main }) {
      expectText(await askModel(main, KETTLE));
      expectText(await askModel(main, { ...KETTLE, responseFormat: null }));
    },
  },
]);

const PRODUCT = {
  type: "object",
  properties: { product: { type: "string" }, price: { type: "number" } },
  required: ["product", "price"],
};

function expectText({ response, ...others }: Record<string, unknown>): void {
  expectThat(typeof response === "string", "the response member to be a string", typeof response);
  expectThat(!("value" in others), "no value member for the text format", "a value");
}

/** Compares the value with the JSON in the response text. @returns The `value` member. */
function expectValue(answer: Record<string, unknown>): unknown {
  const { response, value } = answer;
  expectThat(typeof response === "string", "the response member to be a string", typeof response);
  expectThat("value" in answer, "a value member for the JSON formats", "none");
  const said = parse(response);
  // Response text that contains more than JSON can't be compared.
  if (said !== undefined) expectEqual("the value", value, said);
  return value;
}

function expectProduct(value: unknown): void {
  const { product, price } = toObject(value);
  const holds = typeof product === "string" && typeof price === "number";
  expectThat(holds, "a value in which product is a string and price is a number", JSON.stringify(value));
}

function expectNumber(value: unknown): void {
  expectThat(typeof value === "number", "the value to be a number", JSON.stringify(value));
}

/**
 * Queries the deployment's language model.
 * @returns The response body.
 * @throws {NotOffered} When the deployment has no model.
 * @throws {NotApplicable} When the model refuses to answer.
 * @throws {Undecidable} When the model fails.
 * @throws {Violation} When the service returns any other error.
 */
async function askModel(account: Account, body: object): Promise<Record<string, unknown>> {
  const exchange = await sendWithRetries(() => account.query(body));
  const { name, message } = toErrorBody(exchange.received.json);
  if (name === "ProviderUnavailable") {
    throw new NotOffered("ai", `The deployment has no language model: ${String(message)}`);
  }
  if (name === "ResponseRefused") throw new NotApplicable("The deployment's language model refuses to answer.");
  if (name === "ProviderError") {
    throw new Undecidable(`The language model did not answer: ${describe(exchange.received)}.`);
  }
  return expectSuccess(exchange);
}
