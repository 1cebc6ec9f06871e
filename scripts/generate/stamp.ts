import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { listFiles } from "../write-or-check.ts";
import type { Target } from "./target.ts";

/**
 * Returns a hash over the paths and contents of a target's inputs and outputs.
 * @param root The workspace.
 */
function stampOf(target: Target, root: string): string {
  const { command, inputs, outputs, owns = () => true } = target;
  const hash = createHash("sha256").update(JSON.stringify(command));
  const read = (path: string): void => {
    const bytes = readFileSync(join(root, path));
    hash.update(`\0${path}\0${bytes.length}\0`).update(bytes);
  };
  inputs
    .flatMap((path) => filesAt(path, root))
    .filter((path) => !/\.(test|fixtures)\.ts$/.test(path))
    .forEach(read);
  outputs
    .flatMap((path) => filesAt(path, root))
    .filter(owns)
    .forEach(read);
  return hash.digest("hex");
}

/** Whether a target's inputs and outputs are unchanged since it was last made here. */
export function isFresh(target: Target, root: string): boolean {
  try {
    return readFileSync(stampFile(target, root), "utf8") === stampOf(target, root);
  } catch {
    // It was never made here, or an input is missing.
    return false;
  }
}

/** Records that a target is up to date. */
export function keepStamp(target: Target, root: string): void {
  const file = stampFile(target, root);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, stampOf(target, root));
}

function stampFile({ name }: Target, root: string): string {
  return join(root, "node_modules/.cache/generate", name.replaceAll(" ", "-"));
}

/** @throws {Error} When the path doesn't exist, because a missing input makes the hash meaningless. */
function filesAt(path: string, root: string): string[] {
  return statSync(join(root, path)).isDirectory() ? listFiles(path, root).toSorted() : [path];
}
