import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { browserless } from "./browserless.ts";
import type { FoundPeer } from "./peer.ts";
import { steel } from "./steel.ts";

const KINDS = [browserless, steel];

/** Finds the peers that the user has installed in a folder. @throws {Error} If the folder contains no peers. */
export function findPeers(folder: string): FoundPeer[] {
  const found = KINDS.flatMap((kind) => {
    const root = join(folder, kind.root);
    if (!existsSync(join(root, kind.entry))) return [];
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    return [{ kind, root, version }];
  });
  if (found.length > 0) return found;
  const lines = KINDS.map(
    ({ name, root, entry, install }) => `- ${name}: ${join(root, entry)} is missing. To install it: ${install}`,
  );
  throw new Error(`${folder} contains no services to measure:\n${lines.join("\n")}`);
}
