import { globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { type ImportGraph, findCycles } from "./find-cycles.ts";
import { layerOf, refusalOf } from "./layer-table.ts";
import { type Import, readImports } from "./read-imports.ts";

const SOURCES = "{openapi,server,clients,conformance,bench,scripts}/**/*.{ts,mts,js,mjs}";

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

/** Packages that pure layers may import: these only compute, without side effects. */
const PURE = new Set(["ipaddr.js", "node:util"]);

/** Pure layers: they use no clock, no randomness, and no input or output. */
const OWN_CODE = new Set(["server/src/domain", "server/src/ports", "server/src/concurrency"]);

/**
 * Checks every import below a workspace's folder.
 * @param root The workspace.
 * @returns Lines of the form `file:line: why`; empty if there are no violations.
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
  return [...violations, ...describeCycles(graph)];
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
  if (OWN_CODE.has(layer)) return `${layer} runs nothing but its own code`;
  if (layer !== "server/src/broker" || specifier.startsWith("node:") || specifier === "koffi") return undefined;
  return `${layer} runs nothing but its own code, Node's and Koffi`;
}

function describeCycles(graph: ImportGraph): readonly string[] {
  return findCycles(graph).map((files) => `${files[0]}:1: imports itself: ${files.join(" → ")}`);
}
