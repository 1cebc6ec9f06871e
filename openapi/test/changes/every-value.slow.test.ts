import { expect, test } from "vitest";
import { compareContracts } from "../../changes/compare-contracts.ts";
import { isNode, PROSE } from "../../changes/documents.ts";
import type { Contract } from "../../scripts/contract.ts";
import { Draft } from "./draft.ts";
import { readContract } from "../read-contract.ts";

const contract = readContract();

/** Returns the path to every value in the contract except prose. */
function waysToLeaves(value: unknown, way: readonly string[] = []): string[][] {
  if (!isNode(value) && !Array.isArray(value)) return [[...way]];
  return Object.entries(value).flatMap(([key, member]) => {
    const areNames = way.at(-1) === "properties";
    return !areNames && PROSE.has(key) ? [] : waysToLeaves(member, [...way, key]);
  });
}

type Parent = Record<string, unknown> | unknown[];

/** Each deployment declares its own capabilities, so the check ignores them. */
const CAPABILITIES = ["graphical", "desktop", "ai"].map((name) => `x-capabilities/${name}`);

/** Ways to change a value, each with the paths where the change is expected to make no difference. */
const DEEDS = [
  [
    "changed",
    (parent: Parent, key: string): void => {
      const value = Reflect.get(parent, key) as unknown;
      Reflect.set(parent, key, key === "$ref" ? elsewhere(String(value)) : other(value));
    },
    // The version is not reported as a difference.
    ["info/version", ...CAPABILITIES],
  ],
  [
    "removed",
    (parent: Parent, key: string): void => {
      if (Array.isArray(parent)) parent.splice(Number(key), 1);
      else delete parent[key];
    },
    // Removing `required: false` has no effect, because false is the default. `format: password` doesn't limit values.
    [
      "info/version",
      "paths//api/v1/Browser/Open/post/parameters/0/required",
      "paths//api/v1/Browser/Open/post/requestBody/required",
      "paths//api/v1/Browser/History/post/requestBody/required",
      "components/schemas/Proxy/properties/Password/format",
      "components/headers/Retry-After-If-Known/required",
      ...CAPABILITIES,
    ],
  ],
] as const;

test.each(DEEDS)(
  "the check reports every value that is %s",
  (_name, deed, expected) => {
    const unnoticed = waysToLeaves(contract).filter((way) => {
      const draft = new Draft(contract);
      const parent = way.slice(0, -1).reduce<unknown>((node, key) => Reflect.get(node as object, key), draft.contract);
      deed(parent as Parent, way.at(-1) ?? "");
      return compareContracts(contract, draft.contract as unknown as Contract).length === 0;
    });
    expect(unnoticed.map((way) => way.join("/"))).toStrictEqual(expected);
  },
  180_000,
);

function other(value: unknown): unknown {
  if (typeof value === "number") return value + 1;
  return typeof value === "boolean" ? !value : `${String(value)}?`;
}

/** Returns another definition of the same type, or a reference to an unrelated node if there is none. */
function elsewhere(reference: string): string {
  const [start, components, kind = "", name] = reference.split("/");
  const names = Object.keys((contract.components as Record<string, object>)[kind] ?? {});
  const otherName = names.find((candidate) => candidate !== name);
  return otherName === undefined ? "#/info" : [start, components, kind, otherName].join("/");
}
