import { renderErrors } from "./errors.ts";
import { renderOptions } from "./options.ts";
import { renderRecords } from "./records.ts";
import { CONTRACT_FOLDER, CONTRACT_PACKAGE, SOURCES, toJavadoc } from "./source.ts";
import type { Language } from "../language.ts";

const WRITTEN = "src/main/java/";

// The core's other files don't use these.
const NOT_NEEDED = /\/contract\/AbstractOpenApiSchema\.java$|\/core\/(JSON|RFC3339DateFormat|Server\w+)\.java$/;

const ABOUT_PACKAGE = `What the service's contract says: the options of Open, open browsers, desktops, and a class for
each error. Classes whose names end in Result, Request, Reference or List, and \`ListedSession\`, are what goes over the
wire; programs don't need them.`;

export const java = {
  name: "java",
  core: {
    settings: "clients/java/openapi-generator.yaml",
    place: (path) =>
      path.startsWith(WRITTEN) && !NOT_NEEDED.test(path) ? `${SOURCES}${path.slice(WRITTEN.length)}` : undefined,
  },
  // Errors, records and options replace the core's own classes of the same names.
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
} satisfies Language;
