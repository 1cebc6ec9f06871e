import { existsSync, realpathSync } from "node:fs";
import { findReadable } from "../../broker/system-files.ts";

/** The path without links, or as it is if the server may not look: systemd's credentials are for root alone. */
function resolveLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** @returns What is wrong with these files and folders, which sandboxes must not be able to read: a sentence each. */
export function describeExposed(paths: readonly string[]): string[] {
  return paths
    .filter((path) => existsSync(path))
    .flatMap((path) => {
      const readable = findReadable(resolveLinks(path));
      if (readable === undefined) return [];
      return [
        `${path} is below ${readable}, which browsers can read. Move it to another folder, such as /var/lib or /etc.`,
      ];
    });
}
