import { existsSync, lstatSync, readdirSync, realpathSync, readlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { arch } from "node:process";
import { fileURLToPath } from "node:url";

/** The path of the dynamic loader, and Debian's folder for this architecture's libraries. */
const [LOADER, DEBIAN] =
  arch === "arm64"
    ? ["/lib/ld-linux-aarch64.so.1", "/usr/lib/aarch64-linux-gnu"]
    : ["/lib64/ld-linux-x86-64.so.2", "/usr/lib/x86_64-linux-gnu"];

/** The system's libraries, on Debian, Fedora or Arch. */
const LIBRARIES =
  [DEBIAN, "/usr/lib64", "/usr/lib"].map(resolve).find((folder) => existsSync(join(folder, "libc.so.6"))) ?? "/usr/lib";

/** Fonts installed by operators. */
const OWN_FONTS = "/usr/local/share/fonts";

/** Host files that every program in a sandbox sees in addition to libraries. They can't be executed. */
export const DATA = [
  "/usr/share",
  "/usr/lib/locale",
  OWN_FONTS,
  "/etc/fonts",
  "/etc/ssl/certs",
  "/etc/pki/tls/certs",
  "/etc/pki/ca-trust",
  "/etc/ca-certificates",
  "/etc/ld.so.cache",
  "/etc/alternatives",
  // Without this cache, each start spends 400 ms reading every font.
  "/var/cache/fontconfig",
];
const READABLE = [LIBRARIES, ...DATA];

/** The folder of our code: the repository or the compiled server. */
const OUR_CODE = join(dirname(fileURLToPath(import.meta.url)), import.meta.url.endsWith(".ts") ? "../../.." : "");

/** Links into /usr on most systems. On other systems, these are folders, and programs see only parts of them. */
const LINKS = ["/bin", "/sbin", "/lib", "/lib64"].filter((path) =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink(),
);

const LIBRARY = /\.so(?:\.|$)/;
/** Permission bits in a file's mode. */
const EXECUTE = 0o111;

/** Returns the shared folder that makes a host path readable in sandboxes; undefined if it isn't readable. */
export function findReadable(path: string): string | undefined {
  if (isBelow(path, OUR_CODE)) return undefined;
  return READABLE.find((folder) => isBelow(path, folder));
}

/**
 * Returns bubblewrap's arguments that show the system's libraries and data to a program.
 * @param reads Other files and folders to show, such as programs. Missing paths are skipped.
 */
export function toFileArguments(reads: readonly string[]): string[] {
  const hidesOurs = findReadable(dirname(OUR_CODE)) !== undefined;
  return [
    ...LINKS.flatMap((path) => ["--symlink", readlinkSync(path), path]),
    ...READABLE.filter((path) => existsSync(path)).flatMap((path) => ["--ro-bind", path, path]),
    ...(hidesOurs ? ["--tmpfs", OUR_CODE, "--remount-ro", OUR_CODE] : []),
    ...[LOADER, ...reads].flatMap(show),
  ];
}

/** Exposes a file or folder at its host path, along with the link that points to it. */
function show(path: string): string[] {
  if (!existsSync(path)) return [];
  const [real, link] = [realpathSync(path), join(resolve(dirname(path)), basename(path))];
  const shown = findReadable(real) === undefined ? ["--ro-bind", real, real] : [];
  return link === real ? shown : [...shown, "--symlink", real, link];
}

/** Paths to hide in a folder, and whether the folder contains something that programs need. */
type Hidden = { readonly paths: readonly string[]; readonly isNeeded: boolean };

/**
 * Finds programs among the system's libraries, to hide them from sandboxes, because some of them run scripts.
 * @param needed Files and folders that aren't hidden.
 * @returns Files, and folders that contain no libraries.
 */
export function findPrograms(needed: readonly string[], folder = LIBRARIES): Hidden {
  let isNeeded = false;
  const paths: string[] = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (needed.some((each) => isBelow(path, each))) isNeeded = true;
    else if (entry.isDirectory()) {
      const inner = findPrograms(needed, path);
      isNeeded ||= inner.isNeeded;
      paths.push(...(inner.isNeeded || inner.paths.length === 0 ? inner.paths : [path]));
    } else if (LIBRARY.test(entry.name)) isNeeded = true;
    else if (entry.isFile() && (lstatSync(path).mode & EXECUTE) !== 0) paths.push(path);
  }
  return { paths, isNeeded };
}

function isBelow(path: string, folder: string): boolean {
  return `${path}/`.startsWith(`${folder}/`);
}

/** Resolves links. Returns a missing path unchanged. */
function resolve(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}
