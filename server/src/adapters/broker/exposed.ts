import { existsSync, realpathSync } from "node:fs";
import { findReadable } from "../../broker/bubblewrap.ts";

/** @returns What is wrong with these files and folders, which sandboxes must not be able to read: a sentence each. */
export function describeExposed(paths: readonly string[]): string[] {
  return paths
    .filter((path) => existsSync(path))
    .flatMap((path) => {
      const readable = findReadable(realpathSync(path));
      if (readable === undefined) return [];
      return [
        `${path} is below ${readable}, which browsers can read. Move it to another folder, such as /var/lib or /etc.`,
      ];
    });
}
