import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A copy of the workspace that tests can change. */
type Copy = Disposable & { readonly folder: string };

/** The folder with relative links to the workspace's own packages. */
const OWN = "@remote-browser";

/** The cache folder, which isn't copied because its contents depend on the workspace. */
const CACHE = ".cache";

/** Downloads that all workspaces can share. */
const FETCHED = `node_modules/${CACHE}/openapi-generator`;

/**
 * Copies every file that git tracks or would add, and links the installed packages. Links to the workspace's own
 * packages point into the copy.
 */
export function copyWorkspace(root: string): Copy {
  const folder = mkdtempSync(join(tmpdir(), "workspace-"));
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root });
  for (const path of listed.toString("utf8").split("\0")) {
    if (path !== "" && existsSync(join(root, path))) cpSync(join(root, path), join(folder, path));
  }
  linkPackages(root, folder, "node_modules");
  if (existsSync(join(root, FETCHED))) {
    mkdirSync(dirname(join(folder, FETCHED)));
    symlinkSync(join(root, FETCHED), join(folder, FETCHED));
  }
  for (const entry of findNested(root)) linkPackages(root, folder, entry);
  if (existsSync(join(root, ".venv"))) symlinkSync(join(root, ".venv"), join(folder, ".venv"));
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The workspace's packages that have their own node_modules. */
function findNested(root: string): string[] {
  return ["openapi", "server", "bench", "clients/tunnel", "clients/typescript"]
    .map((name) => `${name}/node_modules`)
    .filter((path) => existsSync(join(root, path)));
}

function linkPackages(root: string, folder: string, path: string): void {
  const place = join(folder, path);
  mkdirSync(place, { recursive: true });
  for (const name of readdirSync(join(root, path))) {
    if (name !== OWN && name !== CACHE) symlinkSync(join(root, path, name), join(place, name));
  }
  const own = join(root, path, OWN);
  if (!existsSync(own)) return;
  mkdirSync(join(place, OWN));
  for (const name of readdirSync(own)) symlinkSync(readlinkSync(join(own, name)), join(place, OWN, name));
}
