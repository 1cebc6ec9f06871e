import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { browserless } from "./browserless.ts";
import type { FoundPeer } from "./peer.ts";
import { steel } from "./steel.ts";

const KINDS = [browserless, steel];

/** Finds the peers that a user has installed in a folder. @throws {Error} If there are none. */
export function findPeers(folder: string): FoundPeer[] {
  const found = KINDS.flatMap((kind) => {
    const root = join(folder, kind.root);
    if (!existsSync(join(root, kind.entry))) return [];
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    return [{ kind, root, version }];
  });
  if (found.length > 0) return found;
  const lines = KINDS.map(
    ({ name, root, entry, install }) => `- ${name} would be in ${join(root, entry)}. To install it: ${install}`,
  );
  throw new Error(`${folder} has no other service to measure:\n${lines.join("\n")}`);
}
