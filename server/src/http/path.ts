import { operations } from "@remote-browser/contract/operations";

const CONTRACT_PATHS = new Map(Object.values(operations).map(({ path }) => [path.toLowerCase(), path]));

/** The path as the contract spells it, which matches without regard to case; any other path as it is. */
export function toContractPath(path: string): string {
  return CONTRACT_PATHS.get(path.toLowerCase()) ?? path;
}
