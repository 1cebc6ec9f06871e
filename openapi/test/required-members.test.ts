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

test("a member that was added after its schema's first release isn't required of clients", () => {
  const { components } = forGenerators(withSchema("Thing", THING), { Thing: ["old"] });
  expect(components.schemas["Thing"]?.required).toStrictEqual(["old"]);
});

test("a schema that isn't released keeps its required members", () => {
  const { components } = forGenerators(withSchema("Thing", THING), {});
  expect(components.schemas["Thing"]?.required).toStrictEqual(["old", "new"]);
});

test("a release adds new schemas, and leaves those of earlier releases", () => {
  expect(addRequiredMembers({ Thing: ["old"] }, withSchema("Thing", THING))["Thing"]).toStrictEqual(["old"]);
  expect(addRequiredMembers({}, withSchema("Thing", THING))["Thing"]).toStrictEqual(["old", "new"]);
});

test("the first release's members are still required of services", () => {
  // A request's member may become optional.
  const released = Object.entries(readRequiredMembers()).filter(([name]) => !/Request|Reference/.test(name));
  const missing = released.flatMap(([name, members]) =>
    members.filter((member) => !(contract.components.schemas[name]?.required ?? []).includes(member)),
  );
  expect(missing).toStrictEqual([]);
});
