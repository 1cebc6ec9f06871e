import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { extname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

/** A file that a page loads. */
export type PageFile = {
  readonly type: string;
  readonly bytes: Buffer;
  /** The same, compressed when it is first asked for. */
  gzipped(): Buffer;
};

/** A page and all that it loads, as it stood when the server started. */
export type Page = {
  readonly html: string;
  /** Changes with every change of a file, so that each may be kept for ever. */
  readonly version: string;
  /** By their paths below the page's folder: these, and no others, are served. */
  readonly files: ReadonlyMap<string, PageFile>;
};

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Where noVNC's modules stand below the page. */
const NOVNC = "novnc";

/**
 * Reads the page of remote desktops.
 * @param folder Its own files. A compiled server has noVNC among them; otherwise it is read from its package.
 * @throws {Error} When a part of it is missing.
 */
export function readDesktopPage(folder: string): Page {
  const own = globSync("*.{js,css,svg}", { cwd: folder }).map((path) => [path, join(folder, path)] as const);
  const novnc = findNovnc(folder);
  const theirs = globSync("{core,vendor}/**/*.js", { cwd: novnc }).map(
    (path) => [posix.join(NOVNC, path), join(novnc, path)] as const,
  );
  const files = new Map(
    [...own, ...theirs]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([path, file]) => [path, readPageFile(file)]),
  );
  const template = readFileSync(join(folder, "index.html"), "utf8");
  const hash = createHash("sha256").update(template);
  for (const [path, { bytes }] of files) hash.update(path).update(bytes);
  const version = hash.digest("hex").slice(0, 12);
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

function readPageFile(file: string): PageFile {
  const bytes = readFileSync(file);
  let gzipped: Buffer | undefined;
  return {
    type: TYPES[extname(file)] ?? "application/octet-stream",
    bytes,
    gzipped: () => (gzipped ??= gzipSync(bytes)),
  };
}
