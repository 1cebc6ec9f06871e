import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findSources, type Source } from "./page-files.ts";

/** Brings a page's markup up to date without losing what is focused, selected or playing. */
const IDIOMORPH = "idiomorph.esm.js";

/** @param folder The dashboard's own files. A compiled server has its library among them; otherwise it is read from its package. */
export function findDashboardFiles(folder: string): Source[] {
  const own = findSources(folder, "*.{js,css,svg}");
  if (existsSync(join(folder, IDIOMORPH))) return own;
  const library = new URL(`./${IDIOMORPH}`, import.meta.resolve("idiomorph"));
  return [...own, [IDIOMORPH, fileURLToPath(library)]];
}
