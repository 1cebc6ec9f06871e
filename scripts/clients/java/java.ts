import { readFileSync } from "node:fs";
import type { Contract } from "../../../openapi/scripts/contract.ts";
import { renderErrors } from "./errors.ts";
import { listOptions } from "./option-members.ts";
import { renderOptions } from "./options.ts";
import { renderRecords } from "./records.ts";
import { CONTRACT_FOLDER, CONTRACT_PACKAGE, SOURCES, toJavadoc } from "./source.ts";
import type { Language } from "../language.ts";

const WRITTEN = "src/main/java/";

// Errors and records are rendered here, in the very places where the core looks for them; of the rest it uses nothing.
const NOT_NEEDED =
  /\/contract\/(\w+Error|BadRequestProblem|AbstractOpenApiSchema)\.java$|\/core\/(JSON|RFC3339DateFormat|Server\w+)\.java$/;

const CONTRACT = new URL("../../../openapi/generated/openapi.json", import.meta.url);

const ABOUT_PACKAGE = `What the service's contract says: the options of Open, open browsers, desktops, and a class for
each error. Classes whose names end in Result, Request, Reference or List, and \`ListedSession\`, are what goes over the
wire; programs need none of them.`;

export const java: Language = {
  name: "java",
  core: {
    settings: "clients/java/openapi-generator.yaml",
    place: (path) => placeOf(path, JSON.parse(readFileSync(CONTRACT, "utf8")) as Contract),
  },
  render(contract) {
    const about = `${toJavadoc(ABOUT_PACKAGE)}package ${CONTRACT_PACKAGE};\n`;
    const files = [
      ...renderErrors(contract),
      ...renderRecords(contract),
      ...renderOptions(contract),
      ["package-info", about] as const,
    ];
    return new Map(files.map(([name, text]) => [`${CONTRACT_FOLDER}${name}.java`, text]));
  },
};

/** @returns Where a file of openapi-generator's goes; undefined when it is rendered here, as options are, or used by nobody. */
export function placeOf(path: string, contract: Contract): string | undefined {
  if (!path.startsWith(WRITTEN) || NOT_NEEDED.test(path)) return undefined;
  const place = `${SOURCES}${path.slice(WRITTEN.length)}`;
  const isOption = [...listOptions(contract).keys()].some((name) => place === `${CONTRACT_FOLDER}${name}.java`);
  return isOption ? undefined : place;
}
