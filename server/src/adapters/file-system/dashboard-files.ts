import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Assets } from "../../ports/assets.ts";
import { type Source, findSources, listPackageFiles } from "./page-files.ts";

/** Updates a page's markup without losing focus, the selection or running animations. */
const IDIOMORPH = "idiomorph.esm.js";

/** The scripts, styles and images of pages are next to the code that renders them. */
const FOLDERS = "{kit/static,dashboard/*}";

const PACKAGE = "package.json";

/** Swagger UI's files. The script refers to the text file, which contains its components' licences. */
const SWAGGER_UI = ["swagger-ui-bundle.js", "swagger-ui.css", "swagger-ui-bundle.js.LICENSE.txt"];

/** @param folder The folder of all pages, which contains Idiomorph only in a compiled server. */
export function findDashboardFiles(folder: string): Source[] {
  const own = findSources(folder, `${FOLDERS}/*.{js,css,svg}`);
  if (own.some(([path]) => path === `kit/static/${IDIOMORPH}`)) return own;
  const library = new URL(`./${IDIOMORPH}`, import.meta.resolve("idiomorph"));
  return [...own, [`kit/static/${IDIOMORPH}`, fileURLToPath(library)]];
}

/**
 * Finds Swagger UI, whose 1.7 MB script is only read on request, because most servers never send it.
 * @param folder The folder with all pages and, in a compiled server, Swagger UI.
 * @throws {Error} If a file is missing.
 */
export function findSwaggerUi(folder: string): Assets {
  const beside = join(folder, "swagger-ui");
  const found = existsSync(join(beside, PACKAGE))
    ? beside
    : dirname(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${PACKAGE}`)));
  const { version } = JSON.parse(readFileSync(join(found, PACKAGE), "utf8")) as { version: string };
  const sources = SWAGGER_UI.map((name): Source => [name, join(found, name)]);
  const missing = sources.find(([, file]) => !existsSync(file));
  if (missing) throw new Error(`Swagger UI is incomplete: ${missing[1]} is missing. Reinstall the packages.`);
  return listPackageFiles(sources, version);
}
