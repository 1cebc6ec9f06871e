import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type PageFiles, type Source, listPackageFiles } from "./page-files.ts";

const PACKAGE = "package.json";

/** What a page with Swagger UI loads; the first names the third, which holds the licences of what is in it. */
const SERVED = ["swagger-ui-bundle.js", "swagger-ui.css", "swagger-ui-bundle.js.LICENSE.txt"];

/**
 * Finds Swagger UI. Its script has 1.7 MB, and most servers never send it: it stays on the disk until it is asked for.
 * @param folder The folder of all pages. A compiled server has Swagger UI in it; otherwise it is its package.
 * @throws {Error} When a part of it is missing.
 */
export function findSwaggerUi(folder: string): PageFiles {
  const beside = join(folder, "swagger-ui");
  const found = existsSync(join(beside, PACKAGE))
    ? beside
    : dirname(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${PACKAGE}`)));
  const { version } = JSON.parse(readFileSync(join(found, PACKAGE), "utf8")) as { version: string };
  const sources = SERVED.map((name): Source => [name, join(found, name)]);
  const missing = sources.find(([, file]) => !existsSync(file));
  if (missing) throw new Error(`Swagger UI is incomplete: ${missing[1]} is missing. Install the packages again.`);
  return listPackageFiles(sources, version);
}
