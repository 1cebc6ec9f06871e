import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A place where a file contains the project's version. The pattern's capture group matches the version. */
type Place = { readonly file: string; readonly pattern: RegExp };

const PACKAGES = [".", "bench", "clients/tunnel", "clients/typescript", "conformance", "openapi", "server"];

/** The first entry has the authoritative version. */
const PLACES: readonly Place[] = [
  ...PACKAGES.map((folder) => ({ file: join(folder, "package.json"), pattern: /^ {2}"version": "([^"]+)"/m })),
  ...["bench", "conformance", "server"].map((folder) => ({
    file: `${folder}/package.json`,
    pattern: /"@remote-browser\/contract": "([^"]+)"/,
  })),
  { file: "clients/go/version.go", pattern: /^const version = "([^"]+)"/m },
  { file: "clients/go/go.work", pattern: /\/clients\/go v(\S+) =>/ },
  { file: "clients/go/remotechromedp/go.mod", pattern: /\/clients\/go v(\S+)$/m },
  { file: "clients/java/pom.xml", pattern: /^ {2}<version>([^<]+)</m },
  { file: "clients/java/README.md", pattern: /<artifactId>remote-browser<\/artifactId>\s+<version>([^<]+)</ },
  {
    file: "clients/java/src/main/java/io/github/remotebrowser/Version.java",
    pattern: /TEXT = "([^"]+)"/,
  },
  { file: "clients/python/src/remote_browser/_version.py", pattern: /^__version__ = "([^"]+)"/m },
  { file: "clients/python/README.md", pattern: /remote_browser-([\d.]+)-py3/ },
  { file: "clients/typescript/README.md", pattern: /remote-browser-client-([\d.]+)\.tgz/ },
  { file: "docs/conformance.md", pattern: /remote-browser-conformance-([\d.]+)\.tgz/ },
  { file: "server/src/web/dashboard/quick-start/java.ts", pattern: /^ {6}<version>([^<]+)</m },
];

/** @throws {Error} If the file contains no version at this place. */
function readVersion(root: string, { file, pattern }: Place): string {
  const [, version] = pattern.exec(readFileSync(join(root, file), "utf8")) ?? [];
  if (version === undefined) throw new Error(`${file} has no version at ${pattern}.`);
  return version;
}

/** Writes a version to all files that contain it. */
export function writeVersion(root: string, version: string, places = PLACES): void {
  for (const place of places) {
    const path = join(root, place.file);
    const old = readVersion(root, place);
    const text = readFileSync(path, "utf8");
    writeFileSync(
      path,
      text.replace(place.pattern, (found) => found.replace(old, version)),
    );
  }
}

/** Returns a sentence for each place whose version differs from the first entry's. */
export function findDifferences(root: string, places = PLACES): readonly string[] {
  const [first, ...others] = places;
  if (first === undefined) return [];
  const version = readVersion(root, first);
  return others
    .map((place) => ({ file: place.file, found: readVersion(root, place) }))
    .filter(({ found }) => found !== version)
    .map(({ file, found }) => `${file} has version ${found}, not ${version}: run npm run stamp -- ${version}.`);
}

/**
 * Returns a version's section of CHANGELOG.md, without its heading; undefined if the section is missing.
 * @param version A version, or `Unreleased`.
 */
export function readSection(changelog: string, version: string): string | undefined {
  return changelog
    .split(/^## /m)
    .slice(1)
    .map((part) => [part.slice(0, part.indexOf("\n")), part.slice(part.indexOf("\n")).trim()] as const)
    .find(([heading]) => heading.split(" ", 1)[0] === version)?.[1];
}
