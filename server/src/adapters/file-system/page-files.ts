import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join, posix } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Asset, Assets } from "../../ports/assets.ts";

const compress = promisify(gzip);

/** The path that a file is served under, and its path on disk. */
export type Source = readonly [path: string, file: string];

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
};

/** @param pattern For `globSync`. @param below The path prefix of the served files; empty for the page's own files. */
export function findSources(folder: string, pattern: string, below = ""): Source[] {
  return globSync(pattern, { cwd: folder }).map((path) => [posix.join(below, path), join(folder, path)]);
}

/**
 * Reads files into memory. For small files that may change while the server is running.
 * @param template Additional text that affects the version.
 * @throws {Error} If a file is missing.
 */
export function readPageFiles(sources: readonly Source[], template = ""): Assets {
  const read = sources
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([path, file]) => ({ path, file, bytes: readFileSync(file) }));
  const hash = createHash("sha256").update(template);
  for (const { path, bytes } of read) hash.update(path).update(bytes);
  return {
    version: hash.digest("hex").slice(0, 12),
    files: new Map(read.map(({ path, file, bytes }) => [path, toAsset(file, async () => bytes)])),
  };
}

/** Lists a package's files, which are read only when first requested: they are large, and few servers send them. */
export function listPackageFiles(sources: readonly Source[], version: string): Assets {
  return { version, files: new Map(sources.map(([path, file]) => [path, toAsset(file, () => readFile(file))])) };
}

function toAsset(file: string, readBytes: () => Promise<Buffer<ArrayBuffer>>): Asset {
  const read = remembered(readBytes);
  return {
    type: TYPES[extname(file)] ?? "application/octet-stream",
    read,
    gzipped: remembered(async () => compress(await read())),
  };
}

/** Reads a file once, so that all requests share one copy. A failed read isn't remembered. */
function remembered<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return () =>
    (reading ??= read().catch((error: unknown) => {
      reading = undefined;
      throw error;
    }));
}
