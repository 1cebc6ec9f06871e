import { readFileSync } from "node:fs";
import {
  type Contract,
  type Reference,
  type Response,
  examplesOf,
  listOperations,
  resolve,
} from "../../openapi/scripts/contract.ts";
import { forMock } from "../mock/run-prism.ts";
import { renderTable, replaceGenerated } from "./markdown.ts";
import { writeOrCheck } from "./write-or-check.ts";

const BEGIN = "<!-- Generated from the contract's examples by `npm run generate`. -->";

/** An example in the contract, and how to request it from Prism. */
type Preference = {
  /** The operationIds that have this example; undefined if all operations have it. */
  readonly operations: readonly string[] | undefined;
  /** The value of the `Prefer` header. */
  readonly prefer: string;
  readonly status: number;
  /** The error's name; undefined for a success. */
  readonly name: string | undefined;
  readonly summary: string;
};

type Shown = { readonly summary: string; readonly value: { readonly name?: string } };

type Answer = Response | Reference;

/** Lists every example of every operation, without duplicates. */
export function listPreferences(whole: Contract): readonly Preference[] {
  const contract = forMock(whole);
  const placed = listOperations(contract).flatMap(({ operation }) =>
    Object.entries(operation.responses).map(([status, answer]) => ({ id: operation.operationId, status, answer })),
  );
  const keyOf = ({ id, status, answer }: (typeof placed)[number]): string =>
    "$ref" in answer ? answer.$ref : `${id} ${status}`;
  const groups = Map.groupBy(placed, keyOf);
  const all = listOperations(contract).length;
  const found = [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const operations = group.length === all ? undefined : group.map(({ id }) => id);
    return toPreferences(contract, first.answer, first.status, operations);
  });
  // List the examples of single operations before those that several operations share.
  return found.toSorted((a, b) => (a.operations?.length ?? all) - (b.operations?.length ?? all));
}

function toPreferences(
  contract: Contract,
  answer: Answer,
  status: string,
  operations: readonly string[] | undefined,
): Preference[] {
  return Object.entries(examplesOf(resolve(contract, answer))).map(([example, shown]) => {
    const { summary, value } = shown as Shown;
    return {
      operations,
      prefer: `code=${status}, example=${example}`,
      status: Number(status),
      name: value.name,
      summary,
    };
  });
}

/** Renders `docs/mock.md` with an updated table of preferences. @throws {Error} If the page lacks the markers. */
export function withPreferences(page: string, contract: Contract): string {
  const rows = listPreferences(contract).map(({ operations, prefer, name, summary }) => [
    operations?.map((id) => `\`${id}\``).join(", ") ?? "every operation",
    `\`${prefer}\``,
    name === undefined ? summary : `\`${name}\`: ${summary}`,
  ]);
  return replaceGenerated("docs/mock.md", page, BEGIN, renderTable(["Operation", "`Prefer`", "Answer"], rows));
}

if (import.meta.main) {
  const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
  const contract = JSON.parse(read("openapi/generated/openapi.json")) as Contract;
  writeOrCheck("docs/mock.md", withPreferences(read("docs/mock.md"), contract));
}
