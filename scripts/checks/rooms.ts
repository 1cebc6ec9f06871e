import { posix } from "node:path";

/** Maximum number of files and folders in a folder, including tests. Larger folders are hard to navigate. */
const MOST_ENTRIES = 20;

/** Maximum number of files that a reader must follow within a folder to understand a service. */
const MOST_FLOORS = 3;

/** Folders of data files: one schema or client operation per file. */
const LISTS = /^(?:openapi\/schemas|clients\/(?:typescript|go|python|java))(?:\/|$)/;

const SERVICES = /^server\/src\/services(?:\/|$)/;

/** Maps each file to the files that it imports. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/**
 * Finds folders with too many entries.
 * @param files Relative to the workspace, with forward slashes.
 * @returns Lines of the form `folder: why`.
 */
export function findCrowdedFolders(files: Iterable<string>): readonly string[] {
  const folders = new Map<string, Set<string>>();
  for (const file of files) {
    for (let entry = file; entry !== "."; entry = posix.dirname(entry)) {
      const folder = posix.dirname(entry);
      folders.set(folder, (folders.get(folder) ?? new Set()).add(entry));
    }
  }
  return [...folders]
    .filter(([folder, { size }]) => size > MOST_ENTRIES && folder !== "." && !LISTS.test(folder))
    .map(([folder, { size }]) => `${folder}: has ${size} entries; give what belongs together a folder of its own`);
}

/**
 * Finds service folders whose files import each other in overly long chains. Expects a graph without cycles.
 * @returns Lines of the form `folder: why`.
 */
export function findDeepFolders(graph: ImportGraph): readonly string[] {
  const chains = new Map<string, readonly string[]>();
  const chainOf = (file: string): readonly string[] => {
    const known = chains.get(file);
    if (known !== undefined) return known;
    const below = (graph.get(file) ?? []).filter((each) => posix.dirname(each) === posix.dirname(file));
    const longest = below.map(chainOf).reduce((one, other) => (other.length > one.length ? other : one), []);
    const chain = [file, ...longest];
    chains.set(file, chain);
    return chain;
  };
  return [...graph.keys()]
    .filter((file) => SERVICES.test(file) && !file.endsWith(".test.ts"))
    .map(chainOf)
    .filter((chain) => chain.length > MOST_FLOORS)
    .map(
      (chain) => `${posix.dirname(chain[0] ?? "")}: has more than ${MOST_FLOORS} import levels: ${chain.join(" → ")}`,
    );
}
