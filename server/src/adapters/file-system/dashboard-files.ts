import { fileURLToPath } from "node:url";
import { findSources, type Source } from "./page-files.ts";

/** Brings a page's markup up to date without losing what is focused, selected or playing. */
const IDIOMORPH = "idiomorph.esm.js";

/** The scripts, styles and pictures of pages stand beside the code that renders them. */
const FOLDERS = "{kit,dashboard/*}";

/** @param folder The folder of all pages. A compiled server has the library in it; otherwise it is read from its package. */
export function findDashboardFiles(folder: string): Source[] {
  const own = findSources(folder, `${FOLDERS}/*.{js,css,svg}`);
  if (own.some(([path]) => path === `kit/${IDIOMORPH}`)) return own;
  const library = new URL(`./${IDIOMORPH}`, import.meta.resolve("idiomorph"));
  return [...own, [`kit/${IDIOMORPH}`, fileURLToPath(library)]];
}
