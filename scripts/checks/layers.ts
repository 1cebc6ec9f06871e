import { globSync, readFileSync } from "node:fs";
import { join, posix, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { Visitor, parseSync } from "oxc-parser";
import { layerOf, refusalOf } from "./layer-table.ts";
import { type ImportGraph, findCrowdedFolders, findDeepFolders } from "./rooms.ts";

const SOURCES = "{openapi,server,clients,conformance,bench,scripts}/**/*.{ts,mts,js,mjs}";

/** The files that count toward the size of their folders. */
const ROOMS = "{server,conformance,bench,scripts,openapi,clients}/**/*";

const NOT_OURS = /(^|\/)(node_modules|dist|generated)(\/|$)/;

/** The workspace's packages, by import name. */
const PACKAGES: Readonly<Record<string, string>> = {
  "@remote-browser/contract": "openapi/package.json",
  "@remote-browser/server": "server/package.json",
  "@remote-browser/bench": "bench/package.json",
  "@remote-browser/tunnel": "clients/tunnel/package.json",
  "@remote-browser/conformance": "conformance/package.json",
  "@remote-browser/client": "clients/typescript/package.json",
};

/** Packages without side effects, which pure layers may import. */
const PURE = new Set(["ipaddr.js", "node:util"]);

/** Pure layers: they use no clock, no randomness, and no input or output. */
const OWN_CODE = new Set(["server/src/domain", "server/src/ports", "server/src/concurrency"]);

/**
 * Checks every import below a workspace's folder, and the size of its folders.
 * @param root The workspace.
 * @returns Lines of the form `file:line: why` or `folder: why`; empty if there are no violations.
 */
export function findViolations(root: string): readonly string[] {
  const graph = new Map<string, string[]>();
  const violations: string[] = [];
  for (const file of globSync(SOURCES, { cwd: root, exclude: (path) => NOT_OURS.test(path) }).toSorted()) {
    const targets: string[] = [];
    for (const each of readImports(file, readFileSync(join(root, file), "utf8"))) {
      const target = targetOf(file, each.specifier);
      if (target?.includes("/") === true) targets.push(target);
      const refusal = target === undefined ? impurityOf(file, each) : refusalOf(file, target);
      if (refusal !== undefined) violations.push(`${file}:${each.line}: ${refusal} (${each.specifier})`);
    }
    graph.set(file, targets);
  }
  const cycles = describeCycles(graph);
  const rooms = globSync(ROOMS, { cwd: root, exclude: ({ name }) => NOT_OURS.test(name), withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)));
  const floors = cycles.length === 0 ? findDeepFolders(graph) : [];
  return [...violations, ...cycles, ...floors, ...findCrowdedFolders(rooms)];
}

/** @returns The file in the workspace; undefined for a third-party package. */
function targetOf(file: string, specifier: string): string | undefined {
  if (specifier.startsWith(".")) return posix.join(posix.dirname(file), specifier);
  const name = Object.keys(PACKAGES).find((each) => specifier === each || specifier.startsWith(`${each}/`));
  return name === undefined ? undefined : PACKAGES[name];
}

function impurityOf(file: string, { specifier, isType }: Import): string | undefined {
  const layer = layerOf(file) ?? "";
  if (isType || PURE.has(specifier)) return undefined;
  if (OWN_CODE.has(layer)) return `${layer} may only import its own code`;
  if (layer !== "server/src/broker" || specifier.startsWith("node:") || specifier === "koffi") return undefined;
  return `${layer} may only import its own code, Node's modules and Koffi`;
}

function describeCycles(graph: ImportGraph): readonly string[] {
  return findCycles(graph).map((files) => `${files[0]}:1: imports itself: ${files.join(" → ")}`);
}

type Import = {
  /** The specifier, as written in the source. */
  readonly specifier: string;
  /** The line number, counted from 1. */
  readonly line: number;
  /** Whether stripping types removes the import. */
  readonly isType: boolean;
};

/**
 * Returns every import of a module: static, re-export, dynamic, and `import("…").Type`.
 * @param file The file name. Its extension determines the language.
 * @throws {Error} If the source can't be parsed.
 */
function readImports(file: string, source: string): readonly Import[] {
  const { program, errors } = parseSync(file, source);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${file}: ${error.message}`);
  const imports: Import[] = [];
  const add = (specifier: { value?: unknown; start: number }, isType: boolean): void => {
    if (typeof specifier.value !== "string") return;
    const line = source.slice(0, specifier.start).split("\n").length;
    imports.push({ specifier: specifier.value, line, isType });
  };
  new Visitor({
    ImportDeclaration: (node) => add(node.source, node.importKind === "type" || areTypes(node.specifiers)),
    ExportNamedDeclaration: (node) => {
      if (node.source !== null) add(node.source, node.exportKind === "type");
    },
    ExportAllDeclaration: (node) => add(node.source, node.exportKind === "type"),
    ImportExpression: (node) => add(node.source, false),
    TSImportType: (node) => add(node.source, true),
  }).visit(program);
  return imports;
}

type Specifier = { readonly type: string; readonly importKind?: string };

/** Whether an import's names are all types. An import without names runs the module. */
function areTypes(specifiers: readonly Specifier[]): boolean {
  return specifiers.length > 0 && specifiers.every(({ importKind }) => importKind === "type");
}

/**
 * Returns a cycle for every import that closes one, as a list of files whose first file is repeated at the end. Returns
 * an empty list if the graph has no cycles.
 */
function findCycles(graph: ImportGraph): readonly (readonly string[])[] {
  const cycles: string[][] = [];
  const finished = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): void => {
    if (finished.has(file)) return;
    const seenAt = path.indexOf(file);
    if (seenAt >= 0) {
      cycles.push([...path.slice(seenAt), file]);
      return;
    }
    path.push(file);
    for (const imported of graph.get(file) ?? []) visit(imported);
    path.pop();
    finished.add(file);
  };
  for (const file of [...graph.keys()].toSorted()) visit(file);
  return cycles;
}

/** Prints every violation. Exits with 1 if there are any. */
if (import.meta.main) {
  const violations = findViolations(fileURLToPath(new URL("../..", import.meta.url)));
  for (const violation of violations) console.error(violation);
  process.exitCode = violations.length === 0 ? 0 : 1;
}
