import { expect, test } from "vitest";
import type { Contract, Schema } from "../scripts/contract.ts";
import { forGenerators } from "../scripts/for-generators.ts";
import { addRequiredMembers, readRequiredMembers } from "../scripts/required-members.ts";
import { readContract } from "./read-contract.ts";

const contract = readContract();

function withSchema(name: string, schema: Schema): Contract {
  const schemas = { ...contract.components.schemas, [name]: schema };
  return { ...contract, components: { ...contract.components, schemas } };
}

const THING: Schema = { required: ["old", "new"] };

test("clients don't require a member that was added after its schema's first release", () => {
  const { components } = forGenerators(withSchema("Thing", THING), { Thing: ["old"] });
  expect(components.schemas["Thing"]?.required).toStrictEqual(["old"]);
});

test("an unreleased schema keeps its required members", () => {
  const { components } = forGenerators(withSchema("Thing", THING), {});
  expect(components.schemas["Thing"]?.required).toStrictEqual(["old", "new"]);
});

test("a release adds new schemas and doesn't change earlier releases' schemas", () => {
  expect(addRequiredMembers({ Thing: ["old"] }, withSchema("Thing", THING))["Thing"]).toStrictEqual(["old"]);
  expect(addRequiredMembers({}, withSchema("Thing", THING))["Thing"]).toStrictEqual(["old", "new"]);
});

test("servers must still send the members that the first release requires", () => {
  // A request member may become optional.
  const released = Object.entries(readRequiredMembers()).filter(([name]) => !/Request|Reference/.test(name));
  const missing = released.flatMap(([name, members]) =>
    members.filter((member) => !(contract.components.schemas[name]?.required ?? []).includes(member)),
  );
  expect(missing).toStrictEqual([]);
});
