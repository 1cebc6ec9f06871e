import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { PageWithAssets } from "../../ports/assets.ts";
import { findSources, readPageFiles } from "./page-files.ts";

/** The folder of noVNC's modules, relative to the page. */
const NOVNC = "novnc";

/**
 * Reads the page for remote desktops.
 * @param folder The folder of the page's own files, which contains noVNC only in a compiled server.
 * @throws {Error} If a file is missing.
 */
export function readDesktopPage(folder: string): PageWithAssets {
  const template = readFileSync(join(folder, "index.html"), "utf8");
  const sources = [
    ...findSources(folder, "*.{js,css,svg}"),
    ...findSources(findNovnc(folder), "{core,vendor}/**/*.js", NOVNC),
  ];
  const { version, files } = readPageFiles(sources, template);
  const assets = `assets/${version}`;
  // Without these hints, each level of imports costs a round trip.
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
