import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findServerPackages } from "../setup/npm-dependencies.mjs";
import { renderTable } from "./markdown.ts";
import { writeOrCheck } from "./write-or-check.ts";

export type Notice = {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression. */
  readonly licence: string;
  /** The copyright lines in the package's licence files. */
  readonly copyright: readonly string[];
  /** The full text of the package's licence files. Empty if there are none. */
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
 * @throws {Error} If a package has no licence, because we aren't allowed to use it.
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
      if (license === undefined) throw new Error(`${name} ${version} declares no licence.`);
      const text = readLicenceText(join(root, path));
      return { name, version, licence: license, copyright: copyrightLines(text), text };
    });
  return notices.toSorted((left, right) => compare(`${left.name} ${left.version}`, `${right.name} ${right.version}`));
}

function readLicenceText(folder: string): string {
  // Bundlers write the bundled code's licences into a file beside the script.
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)|\.js\.LICENSE\.txt$/i.test(file));
  const texts = files.toSorted(compare).map((file) => readFileSync(join(folder, file), "utf8").trim());
  return [...new Set(texts)].join("\n\n");
}

function copyrightLines(text: string): readonly string[] {
  return [...new Set([...text.matchAll(COPYRIGHT)].map((match) => (match[1] ?? "").trim()))];
}

/** Compares code units, because locale order differs between machines. */
function compare(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}

/**
 * Programs from system packages that run alongside the server. They come from system packages, not from this
 * repository.
 */
const PROGRAMS: readonly { readonly name: string; readonly licence: string; readonly use: string }[] = [
  { name: "Node.js", licence: "MIT, and its components' licences", use: "runs the server (npm package `node`)" },
  {
    name: "Chromium",
    licence: "BSD-3-Clause, and its components' licences",
    use: "the browser and its headless shell",
  },
  { name: "TigerVNC", licence: "GPL-2.0-or-later", use: "`Xvnc`, the desktop of a graphical browser" },
  { name: "Openbox", licence: "GPL-2.0-or-later", use: "the window manager of a graphical browser's desktop" },
  { name: "bubblewrap", licence: "LGPL-2.0-or-later", use: "`bwrap`, the sandbox around each browser" },
  { name: "util-linux", licence: "GPL-2.0-or-later", use: "`unshare`, which creates the broker's namespaces" },
  { name: "fontconfig", licence: "MIT-Modern-Variant", use: "the font cache" },
  { name: "Liberation fonts", licence: "OFL-1.1", use: "replace Arial, Times New Roman and Courier New" },
  { name: "Noto Color Emoji", licence: "OFL-1.1", use: "emoji" },
  { name: "WenQuanYi Zen Hei", licence: "GPL-2.0 with the font exception", use: "Chinese, Japanese and Korean" },
  { name: "Noto UI fonts", licence: "OFL-1.1", use: "scripts of South and Southeast Asia, and Arabic" },
  { name: "Abyssinica SIL", licence: "OFL-1.1", use: "Amharic and other languages of Ethiopia" },
  {
    name: "DejaVu fonts",
    licence: "Bitstream-Vera, and additions in the public domain",
    use: "Hebrew, Armenian and Georgian",
  },
];

/** Renders THIRD_PARTY_NOTICES.md. */
function renderNotices(packages: readonly Notice[]): string {
  const rows = packages.map(({ name, version, licence, copyright }) => [
    `${name} ${version}`,
    licence,
    copyright.join("; "),
  ]);
  const programs = PROGRAMS.map(({ name, licence, use }) => [name, licence, use]);
  return `# Third-party notices

<!-- Written by \`npm run generate\`: the packages from package-lock.json and their licence files. -->

## Packages the server runs on

Each package's full licence text is in its folder below \`node_modules/\`.

${renderTable(["Package", "Licence", "Copyright"], rows)}
## Programs beside the server

Separate programs, called by their command lines. The set-up installs them; this repository doesn't contain them.

${renderTable(["Program", "Licence", "Use"], programs)}`;
}

/** Renders the licence texts that must accompany the compiled server, because the server bundles the packages. */
export function renderLicences(packages: readonly Notice[]): string {
  const line = "=".repeat(80);
  return packages
    .map(({ name, version, licence, text }) => `${line}\n${name} ${version} (${licence})\n\n${text}\n`)
    .join("\n");
}

if (import.meta.main) {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  writeOrCheck("THIRD_PARTY_NOTICES.md", renderNotices(readNotices(root)));
}
