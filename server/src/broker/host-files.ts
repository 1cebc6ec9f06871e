import { existsSync, lstatSync } from "node:fs";
import { bindMount, mountMemory, remountData } from "./libc.ts";
import { DATA, findPrograms } from "./system-files.ts";

/**
 * Keeps sandboxes from programs of the host that they have no use for. They inherit what this process sees.
 * @param needed Files and folders with programs for sandboxes.
 */
export function hidePrograms(needed: readonly string[]): void {
  for (const path of findPrograms(needed).paths) {
    if (lstatSync(path).isDirectory()) mountMemory("hidden", path, "size=4k,mode=755");
    else bindMount("/dev/null", path);
  }
  for (const path of DATA.filter((each) => existsSync(each))) {
    bindMount(path, path);
    remountData(path);
  }
}
