import { readFileSync } from "node:fs";
import {
  type Contract,
  type Reference,
  type Response,
  listOperations,
  resolve,
} from "../../openapi/scripts/contract.ts";
import { forMock } from "../mock/run-prism.ts";
import { writeOrCheck } from "./write-or-check.ts";

const BEGIN = "<!-- Generated from the contract's examples by `npm run generate`. -->";
const END = "<!-- End of what is generated. -->";

/** An example in the contract, and how to request it from Prism. */
type Preference = {
  /** The operationIds that have it; undefined if all have it. */
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

/** Every example of every operation, without duplicates. */
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
  // First the examples of one operation, then the examples of several or all operations.
  return found.toSorted((a, b) => (a.operations?.length ?? all) - (b.operations?.length ?? all));
}

function toPreferences(
  contract: Contract,
  answer: Answer,
  status: string,
  operations: readonly string[] | undefined,
): Preference[] {
  const examples = resolve(contract, answer).content["application/json"].examples;
  return Object.entries(examples).map(([example, shown]) => {
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

/**
 * Renders the page about the mock with an updated table of preferences.
 * @throws {Error} When the page lacks the markers of the table.
 */
export function withPreferences(page: string, contract: Contract): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`docs/mock.md must have the lines\n${BEGIN}\n${END}`);
  return `${page.slice(0, begin)}${BEGIN}\n\n${renderTable(contract)}\n${page.slice(end)}`;
}

function renderTable(contract: Contract): string {
  const rows = listPreferences(contract).map(({ operations, prefer, name, summary }) => [
    operations?.map((id) => `\`${id}\``).join(", ") ?? "every operation",
    `\`${prefer}\``,
    name === undefined ? summary : `\`${name}\`: ${summary}`,
  ]);
  const head = ["Operation", "`Prefer`", "Answer"];
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

/** Generates the table in `docs/mock.md`. The rest of the page is written by hand. */
if (import.meta.main) {
  const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
  const contract = JSON.parse(read("openapi/generated/openapi.json")) as Contract;
  writeOrCheck("docs/mock.md", withPreferences(read("docs/mock.md"), contract));
}
