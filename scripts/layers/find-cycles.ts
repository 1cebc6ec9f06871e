/** For each file, the files it imports. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/**
 * Returns a cycle for every import that closes one, as the list of its files, with the first repeated at the end. Empty
 * if the graph has no cycles.
 */
export function findCycles(graph: ImportGraph): readonly (readonly string[])[] {
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
