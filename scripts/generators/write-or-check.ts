import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

// Folders that tools create in a package's folder.
const LEFT_BY_TOOLS = new Set(
  "node_modules dist build target __pycache__ .mypy_cache .pytest_cache .ruff_cache".split(" "),
);

/**
 * Writes a generated file, or with `--check` on the command line, only checks that it is up to date.
 * @param path Relative to the workspace.
 */
export function writeOrCheck(path: string, text: string): void {
  const file = join(ROOT, path);
  if (readIfThere(file) === text) return;
  if (process.argv.includes("--check")) {
    refuse(path);
  } else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/**
 * Writes or checks all generated files in a folder. Removes or reports other files that count as generated.
 * @param folder Relative to the workspace, like the paths of `files`.
 * @param isGenerated Whether the file at this path, relative to the folder, counts as generated.
 */
export function writeOrCheckAll(
  folder: string,
  files: ReadonlyMap<string, string>,
  isGenerated: (path: string) => boolean,
): void {
  for (const [path, text] of files) writeOrCheck(path, text);
  for (const path of listFiles(folder)) {
    if (files.has(path) || !isGenerated(path.slice(folder.length + 1))) continue;
    if (process.argv.includes("--check")) refuse(path);
    else rmSync(join(ROOT, path));
  }
}

/** Lists all files below a folder except tools' temporary files. All paths are relative to the root. */
export function listFiles(folder: string, root = ROOT): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (!entry.isDirectory()) return [path];
    return LEFT_BY_TOOLS.has(entry.name) ? [] : listFiles(path, root);
  });
}

function refuse(path: string): void {
  console.error(`${path} is stale: run \`npm run generate\` and commit it.`);
  process.exitCode = 1;
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
