import { expect, test } from "vitest";
import { contract } from "../contract/contract.ts";
import { toFuzzContract } from "./fuzz-contract.ts";

const derived = toFuzzContract() as typeof contract;

test("what other deployments may not take is neither in the schema of Open nor in its examples", () => {
  const text = JSON.stringify([
    Object.keys(derived.components.schemas.OpenOptions.properties),
    derived.paths["/api/v1/Browser/Open"].post.requestBody.content["application/json"].examples,
  ]);
  expect(text).not.toMatch(/args|proxy/i);
  expect(text).toContain("KeepOpen");
});

test("Query is sent the formats that the contract's examples have, and no other string", () => {
  const { responseFormat } = derived.components.schemas.QueryRequest.properties;
  expect(responseFormat).toMatchObject({ type: "string", enum: expect.arrayContaining(["text", "json"]) });
});

test("the links from Open stay, and the contract itself is not changed", () => {
  expect(Object.keys(derived.paths["/api/v1/Browser/Open"].post.responses["200"].links)).toContain("CloseIt");
  expect(contract.components.schemas.OpenOptions.properties).toHaveProperty("Proxy");
});
