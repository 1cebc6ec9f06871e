import type { Contract } from "../../openapi/scripts/contract.ts";
import { listPreferences } from "./preferences.ts";

const BEGIN = "<!-- Generated from the contract's examples by `npm run generate`. -->";
const END = "<!-- End of what is generated. -->";

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
