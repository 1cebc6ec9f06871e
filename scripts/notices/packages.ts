import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { findServerPackages } from "../setup/npm-dependencies.mjs";

export type Notice = {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression. */
  readonly licence: string;
  /** Its copyright lines; empty when its licence file has none. */
  readonly copyright: readonly string[];
  /** The full text of its licence files; empty when it has none. */
  readonly text: string;
};

type LockEntry = {
  readonly version?: string;
  readonly license?: string;
  readonly optional?: boolean;
  readonly link?: boolean;
};

const COPYRIGHT = /^(?:[^\w\n]*|(?:\w+ ){1,3})(Copyright (?:\([cC]\)|©|\d{4}|[A-Z][a-z]+ [A-Z]).*)$/gm;

/**
 * Returns the packages that the server uses, sorted by name. The result is the same on every machine after `npm ci`.
 * @param root The workspace, with its packages installed.
 * @throws {Error} When a package has no licence, because then we may not use it.
 */
export function readNotices(root: string): readonly Notice[] {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, LockEntry>;
  };
  const notices = findServerPackages(lock)
    .map((path): [string, LockEntry] => [path, lock.packages[path] ?? {}])
    .filter(([path, { optional, link }]) => path.includes("node_modules/") && optional !== true && link !== true)
    .map(([path, { version = "", license }]) => {
      const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
      if (license === undefined) throw new Error(`${name} ${version} names no licence.`);
      const text = readLicenceText(join(root, path));
      return { name, version, licence: license, copyright: copyrightLines(text), text };
    });
  return notices.toSorted((left, right) => compare(`${left.name} ${left.version}`, `${right.name} ${right.version}`));
}

function readLicenceText(folder: string): string {
  // Bundlers write the licences of bundled code into a file beside the script.
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)|\.js\.LICENSE\.txt$/i.test(file));
  const texts = files.toSorted(compare).map((file) => readFileSync(join(folder, file), "utf8").trim());
  return [...new Set(texts)].join("\n\n");
}

function copyrightLines(text: string): readonly string[] {
  return [...new Set([...text.matchAll(COPYRIGHT)].map((match) => (match[1] ?? "").trim()))];
}

/** Compare code units, because locale order differs between machines. */
function compare(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}
