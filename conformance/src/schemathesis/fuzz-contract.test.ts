import { expect, test } from "vitest";
import { contract } from "../contract/contract.ts";
import { NEWEST_VERSION } from "../contract/versions.ts";
import { toFuzzContract } from "./fuzz-contract.ts";

const derived = toFuzzContract(NEWEST_VERSION) as typeof contract;

test("options that some deployments reject are removed from the schema of Open and from its examples", () => {
  const text = JSON.stringify([
    Object.keys(derived.components.schemas.OpenOptions.properties),
    derived.paths["/api/v1/Browser/Open"].post.requestBody.content["application/json"].examples,
  ]);
  expect(text).not.toMatch(/args|proxy/i);
  expect(text).toContain("KeepOpen");
});

test("Query supports only the formats in the contract's examples", () => {
  const { responseFormat } = derived.components.schemas.QueryRequest.properties;
  expect(responseFormat).toMatchObject({ enum: expect.arrayContaining([null, "text", "json"]) });
});

test("CloseAll is removed, because it may close other runs' browsers", () => {
  expect(JSON.stringify(derived.paths)).not.toContain("CloseAll");
});

test("previews are removed, because breaking a preview is only a warning", () => {
  expect(JSON.stringify(derived.paths)).not.toContain('"preview"');
});

test("the links from Open are kept, and the contract itself is not changed", () => {
  expect(Object.keys(derived.paths["/api/v1/Browser/Open"].post.responses["200"].links)).toContain("CloseIt");
  expect(contract.components.schemas.OpenOptions.properties).toHaveProperty("Proxy");
});
