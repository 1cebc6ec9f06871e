import { expect, test } from "vitest";
import { compareContracts } from "../../changes/compare-contracts.ts";
import { isNode } from "../../changes/documents.ts";
import { type Contract, listOperations } from "../../scripts/contract.ts";
import { ANSWERS } from "./answers.ts";
import { Draft, set } from "./draft.ts";
import { ERRORS } from "./errors.ts";
import { OPERATIONS } from "./operations.ts";
import { TEXTS } from "./prose.ts";
import { REQUESTS } from "./requests.ts";
import { readContract } from "../read-contract.ts";

const contract = readContract();
const MUTATIONS = Object.entries({
  operations: OPERATIONS,
  requests: REQUESTS,
  answers: ANSWERS,
  errors: ERRORS,
  prose: TEXTS,
}).flatMap(([group, mutations]) =>
  mutations.map(([does, mutate, verdict, id]) => [does, mutate, verdict, group, id] as const),
);

function compareWith(mutate: (draft: Draft) => void) {
  const draft = new Draft(contract);
  mutate(draft);
  return compareContracts(contract, draft.contract as unknown as Contract);
}

test.each(MUTATIONS)("a contract that %s", (_does, mutate, verdict, group, id) => {
  const changes = compareWith(mutate);
  expect(changes.find((change) => change.id.startsWith(`${id} `))).toMatchObject({ verdict, group });
  if (verdict === "breaking") return;
  // Every reported change has the expected verdict.
  expect(changes.filter((change) => change.verdict !== verdict)).toStrictEqual([]);
});

test("a break inside a preview is an addition, unless it also affects a stable operation", () => {
  const before = new Draft(contract);
  set("OpenOptions.Label", { "x-stability": "preview" })(before);
  const verdictsOf = (mutate: (draft: Draft) => void) => {
    const after = new Draft(before.contract);
    mutate(after);
    const [released, next] = [before, after].map((draft) => draft.contract as unknown as Contract);
    return released && next && compareContracts(released, next).map(({ verdict }) => verdict);
  };
  expect(verdictsOf(set("OpenOptions.Label", { maxLength: 1 }))).toStrictEqual(["additive"]);
  expect(verdictsOf((draft) => delete draft.schema("OpenOptions")["properties"])).toContain("breaking");
  const header = (draft: Draft) => draft.at("components", "headers", "X-Request-Id");
  expect(verdictsOf((draft) => (header(draft)["required"] = false))).toStrictEqual(["breaking"]);
});

test("adding `format: password` is not a change", () => {
  expect(compareWith(set("OpenOptions.Label", { format: "password" }))).toStrictEqual([]);
});

test("a contract has no differences from itself", () => {
  expect(compareContracts(contract, structuredClone(contract))).toStrictEqual([]);
});

test("key order, and item order in unordered lists, doesn't matter", () => {
  const unordered = new Set(["required", "type", "enum", "anyOf", "security", "x-enum-varnames"]);
  const reverse = (value: unknown, key?: string): unknown => {
    if (Array.isArray(value)) {
      const elements = value.map((element) => reverse(element));
      return key !== undefined && unordered.has(key) ? elements.toReversed() : elements;
    }
    if (!isNode(value)) return value;
    return Object.fromEntries(
      Object.entries(value)
        .toReversed()
        .map(([name, member]) => [name, reverse(member, name)]),
    );
  };
  expect(compareContracts(contract, reverse(contract) as Contract)).toStrictEqual([]);
});

test("a nullable type can use anyOf or a list of types, with no difference", () => {
  const kinds = ["fast", "small"];
  const write = (schema: object): Contract => {
    const draft = new Draft(contract);
    (draft.schema("OpenOptions")["properties"] as Record<string, unknown>)["Kind"] = schema;
    return draft.contract as unknown as Contract;
  };
  const asList = write({ type: ["string", "null"], enum: [...kinds, null] });
  expect(compareContracts(write({ anyOf: [{ type: "string", enum: kinds }, { type: "null" }] }), asList)).toStrictEqual(
    [],
  );
});

test("inside unknown keywords, a member with a prose keyword's name counts as a difference", () => {
  const write = (type: string): Contract => {
    const draft = new Draft(contract);
    draft.schema("Session")["allOf"] = [{ description: type, properties: { title: { type } } }];
    return draft.contract as unknown as Contract;
  };
  expect(compareContracts(write("string"), write("number")).map(({ verdict }) => verdict)).toStrictEqual(["breaking"]);
});

test("a change to a shared schema is reported once, with all affected operations", () => {
  const changes = compareWith((draft) => (draft.schema("ErrorMessage")["minLength"] = 2));
  expect(changes).toHaveLength(1);
  const all = listOperations(contract).map(({ operation }) => operation.operationId);
  expect(changes[0]?.operations).toStrictEqual(all);
});

test("different changes at the same location have different identifiers", () => {
  const [first] = compareWith((draft) => (draft.member("OpenOptions", "Label")["maxLength"] = 100));
  const [second] = compareWith((draft) => (draft.member("OpenOptions", "Label")["maxLength"] = 10));
  expect(first?.id).not.toBe(second?.id);
});

test("a recursive schema can be compared", () => {
  const nest = (maxLength: number): Contract => {
    const draft = new Draft(contract);
    (draft.schema("Proxy")["properties"] as Record<string, unknown>)["Next"] = { $ref: "#/components/schemas/Proxy" };
    draft.member("Proxy", "Host")["maxLength"] = maxLength;
    return draft.contract as unknown as Contract;
  };
  expect(compareContracts(nest(262), nest(100)).map(({ words }) => words)).toStrictEqual([
    "maxLength of Host of Proxy",
  ]);
});
