import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type PageFiles, findSources, readPageFiles } from "./page-files.ts";

/** A page and all that it loads, as it stood when the server started. */
export type Page = PageFiles & { readonly html: string };

/** Where noVNC's modules stand below the page. */
const NOVNC = "novnc";

/**
 * Reads the page of remote desktops.
 * @param folder Its own files. A compiled server has noVNC among them; otherwise it is read from its package.
 * @throws {Error} When a part of it is missing.
 */
export function readDesktopPage(folder: string): Page {
  const template = readFileSync(join(folder, "index.html"), "utf8");
  const sources = [
    ...findSources(folder, "*.{js,css,svg}"),
    ...findSources(findNovnc(folder), "{core,vendor}/**/*.js", NOVNC),
  ];
  const { version, files } = readPageFiles(sources, template);
  const assets = `assets/${version}`;
  // Modules name each other; without a hint each step from one to the next costs a round trip.
  const preload = [...files.keys()]
    .filter((path) => path.endsWith(".js"))
    .map((path) => `<link rel="modulepreload" href="${assets}/${path}" />`)
    .join("\n    ");
  const html = template.replaceAll("{{assets}}", assets).replace("{{preload}}", preload);
  return { html, version, files };
}

function findNovnc(folder: string): string {
  const beside = join(folder, NOVNC);
  if (existsSync(join(beside, "core/rfb.js"))) return beside;
  return fileURLToPath(new URL("..", import.meta.resolve("@novnc/novnc")));
}
