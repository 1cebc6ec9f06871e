import { Visitor, parseSync } from "oxc-parser";

export type Import = {
  /** The specifier as in the source. */
  readonly specifier: string;
  /** The line, counted from 1. */
  readonly line: number;
  /** Whether stripping types removes the import. */
  readonly isType: boolean;
};

/**
 * Returns every import of a module: static, re-export, dynamic, and `import("…").Type`.
 * @param file The file name, whose ending tells the language.
 * @throws {Error} When the source can't be parsed.
 */
export function readImports(file: string, source: string): readonly Import[] {
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

/** Whether all names are types. An import without names runs the module. */
function areTypes(specifiers: readonly Specifier[]): boolean {
  return specifiers.length > 0 && specifiers.every(({ importKind }) => importKind === "type");
}
