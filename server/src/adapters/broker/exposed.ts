import { existsSync, realpathSync } from "node:fs";
import { findReadable } from "../../broker/system-files.ts";

/** Resolves links. Returns the path unchanged if the server has no access to it, as with systemd's credentials. */
function resolveLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Returns a sentence for each file or folder in `paths` that sandboxes could read. */
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
