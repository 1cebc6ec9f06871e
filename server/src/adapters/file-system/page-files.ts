import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join, posix } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

const compress = promisify(gzip);

/** A file that a page loads. */
export type PageFile = {
  readonly type: string;
  read(): Promise<Uint8Array<ArrayBuffer>>;
  /** The same, compressed when it is first asked for. */
  gzipped(): Promise<Uint8Array<ArrayBuffer>>;
};

/** What pages load: these files, and no others, are served. */
export type PageFiles = {
  /** Changes with every change of a file, so that each may be kept for ever. */
  readonly version: string;
  /** By their paths below the version. */
  readonly files: ReadonlyMap<string, PageFile>;
};

/** The path below which a file is served, and where it stands on the disk. */
export type Source = readonly [path: string, file: string];

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
};

/**
 * @param pattern Of files in the folder, as `globSync` takes it.
 * @param below Where they are served, if not beside the page's own.
 */
export function findSources(folder: string, pattern: string, below = ""): Source[] {
  return globSync(pattern, { cwd: folder }).map((path) => [posix.join(below, path), join(folder, path)]);
}

/**
 * Files as they stand now, in memory: for small ones that may change under a running server.
 * @param template What else the version is to change with.
 * @throws {Error} When one is missing.
 */
export function readPageFiles(sources: readonly Source[], template = ""): PageFiles {
  const read = sources
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([path, file]) => ({ path, file, bytes: readFileSync(file) }));
  const hash = createHash("sha256").update(template);
  for (const { path, bytes } of read) hash.update(path).update(bytes);
  return {
    version: hash.digest("hex").slice(0, 12),
    files: new Map(read.map(({ path, file, bytes }) => [path, toPageFile(file, async () => bytes)])),
  };
}

/**
 * Files of a package, read when they are asked for: large ones, in a server that may never show the page they belong to.
 * @param version The package's: under one version its files never change.
 */
export function listPackageFiles(sources: readonly Source[], version: string): PageFiles {
  return { version, files: new Map(sources.map(([path, file]) => [path, toPageFile(file, () => readFile(file))])) };
}

function toPageFile(file: string, read: () => Promise<Buffer<ArrayBuffer>>): PageFile {
  let packed: Buffer<ArrayBuffer> | undefined;
  return {
    type: TYPES[extname(file)] ?? "application/octet-stream",
    read,
    gzipped: async () => (packed ??= await compress(await read())),
  };
}
