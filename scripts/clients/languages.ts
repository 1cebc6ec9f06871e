import { readFileSync } from "node:fs";
import type { Contract } from "../../openapi/scripts/contract.ts";
import { renderGoAnswers } from "./go/answers.ts";
import { renderGoErrors } from "./go/errors.ts";
import { renderGoOptions } from "./go/options.ts";
import { renderJavaErrors } from "./java/errors.ts";
import { renderJavaOptions } from "./java/options.ts";
import { renderJavaRecords } from "./java/records.ts";
import { CONTRACT_FOLDER, CONTRACT_PACKAGE, SOURCES, toJavadoc } from "./java/source.ts";
import { renderPythonAnswers } from "./python/answers.ts";
import { renderPythonErrors } from "./python/errors.ts";
import { renderPythonOptions } from "./python/options.ts";
import { renderTypescriptErrorClasses, renderTypescriptErrors } from "./typescript/errors.ts";
import { renderTypescriptOperations } from "./typescript/operations.ts";
import { renderTypescriptOptions } from "./typescript/options.ts";
import { renderTypescriptTypes } from "./typescript/types.ts";

/** A client's language. Its folder is `clients/NAME`. */
export type Language = {
  readonly name: string;
  /** The code from openapi-generator. Undefined if the client doesn't use openapi-generator. */
  readonly core?: {
    /** The path of the generator's settings, relative to the workspace. */
    readonly settings: string;
    /** Returns a file's path relative to the language's folder. Undefined if the client doesn't need the file. */
    place(path: string): string | undefined;
  };
  /** Renders all other files. The map's keys are paths relative to the language's folder. */
  render(contract: Contract): ReadonlyMap<string, string> | Promise<ReadonlyMap<string, string>>;
};

/** @param path The file's path, relative to the language's folder. */
export function isGenerated(path: string): boolean {
  return /(^|\/)_?generated\/|_generated\.go$/.test(path);
}

const MANIFEST = new URL("../../clients/typescript/package.json", import.meta.url);

/** Renders all files except the types, which openapi-typescript renders. */
export function renderTypescript(contract: Contract): ReadonlyMap<string, string> {
  return new Map([
    ["src/generated/errors.ts", renderTypescriptErrors(contract)],
    ["src/generated/error-classes.ts", renderTypescriptErrorClasses(contract)],
    ["src/generated/operations.ts", renderTypescriptOperations(contract)],
    ["src/generated/options.ts", renderTypescriptOptions(contract)],
    ["src/generated/version.ts", renderVersion()],
  ]);
}

/** Renders the version as code, because the package can't read its own manifest in a web browser. */
function renderVersion(): string {
  const { version } = JSON.parse(readFileSync(MANIFEST, "utf8")) as { version: string };
  return `// Generated from package.json by \`npm run generate\`: change that file, not this one.\n\nexport const VERSION = ${JSON.stringify(version)};\n`;
}

const typescript: Language = {
  name: "typescript",
  render: async (contract) =>
    new Map([...renderTypescript(contract), ["src/generated/types.ts", await renderTypescriptTypes(contract)]]),
};

/** The Python client's private package. The public package exports the names that users need. */
const PYTHON_GENERATED = "src/remote_browser/_generated";

const python = {
  name: "python",
  core: {
    settings: "clients/python/openapi-generator.yaml",
    place: (path) => (path === "core.py" ? `${PYTHON_GENERATED}/core.py` : undefined),
  },
  render: (contract) =>
    new Map([
      [`${PYTHON_GENERATED}/__init__.py`, ""],
      [`${PYTHON_GENERATED}/errors.py`, renderPythonErrors(contract)],
      [`${PYTHON_GENERATED}/options.py`, renderPythonOptions(contract)],
      [`${PYTHON_GENERATED}/answers.py`, renderPythonAnswers(contract)],
    ]),
} satisfies Language;

export const go = {
  name: "go",
  core: {
    settings: "clients/go/openapi-generator.yaml",
    // Keeps only the file that our template creates.
    place: (path) => (path === "core.go" ? "internal/generated/core.go" : undefined),
  },
  render: (contract) =>
    new Map([
      ["errors_generated.go", renderGoErrors(contract)],
      ["options_generated.go", renderGoOptions(contract)],
      ["answers_generated.go", renderGoAnswers(contract)],
    ]),
} satisfies Language;

const JAVA_WRITTEN = "src/main/java/";

// Files used only by openapi-generator's own templates, which ours replace.
const JAVA_NOT_NEEDED =
  /\/contract\/AbstractOpenApiSchema\.java$|\/core\/(Api(Client|Exception|Response)|Configuration|JSON|Pair|RFC3339DateFormat|Server\w+)\.java$/;

const ABOUT_JAVA_PACKAGE = `What the service's contract says: the options of Open, open browsers, desktops, and a class for
each error. Classes whose names end in Result, Request, Reference or List, and \`ListedSession\`, are what goes over the
wire; programs don't need them.`;

export const java = {
  name: "java",
  core: {
    settings: "clients/java/openapi-generator.yaml",
    place: (path) =>
      path.startsWith(JAVA_WRITTEN) && !JAVA_NOT_NEEDED.test(path)
        ? `${SOURCES}${path.slice(JAVA_WRITTEN.length)}`
        : undefined,
  },
  // Errors, records and options replace the core's own classes of the same names.
  render(contract) {
    const about = `${toJavadoc(ABOUT_JAVA_PACKAGE)}package ${CONTRACT_PACKAGE};\n`;
    const files = [
      ...renderJavaErrors(contract),
      ...renderJavaRecords(contract),
      ...renderJavaOptions(contract),
      ["package-info", about] as const,
    ];
    return new Map(files.map(([name, text]) => [`${CONTRACT_FOLDER}${name}.java`, text]));
  },
} satisfies Language;

export const LANGUAGES: readonly Language[] = [typescript, python, go, java];
