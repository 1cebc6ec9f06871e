import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startCommand } from "../command-line/src/command-line.ts";
import { PARTS } from "./packaging/release-parts.ts";
import { findDifferences, readSection } from "./packaging/versions.ts";

const USAGE = `npm run release -- [--tag]

Builds a release's files in dist/release, and publishes nothing. The same commit and SOURCE_DATE_EPOCH (default: the
commit's time) result in the same bytes. The version's section of CHANGELOG.md, or else the unreleased section, is
copied to dist/release-notes.md.

  --tag  also tag the commit; CHANGELOG.md needs a section for the version
`;

const { values } = startCommand({ usage: USAGE, options: { tag: { type: "boolean", default: false } } });
process.umask(0o022);
const root = fileURLToPath(new URL("..", import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };

const git = (...args: readonly string[]): string => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();

const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");
const notes = readSection(changelog, version);

/** Lists the reasons why this commit can't be a release. */
function findObstacles(): string[] {
  const tag = process.env["GITHUB_REF_NAME"] ?? `v${version}`;
  return [
    ...(tag === `v${version}` ? [] : [`The tag is ${tag}, but the version is ${version}.`]),
    ...(notes === undefined ? [`CHANGELOG.md has no section ${version}.`] : []),
    ...(git("status", "--porcelain") === "" ? [] : ["The working tree has uncommitted changes."]),
  ];
}

const isRelease = values.tag || process.env["GITHUB_REF_TYPE"] === "tag";
const mistakes = [...findDifferences(root), ...(isRelease ? findObstacles() : [])];
if (mistakes.length > 0) {
  process.stderr.write(`${mistakes.join("\n")}\n`);
  process.exitCode = 1;
} else {
  const to = join(root, "dist/release");
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  const epoch = Number(process.env["SOURCE_DATE_EPOCH"] ?? git("log", "-1", "--format=%ct"));
  for (const [name, build] of Object.entries(PARTS)) {
    process.stdout.write(`Building: ${name}\n`);
    build({ root, version, epoch, to });
  }
  writeFileSync(join(root, "dist/release-notes.md"), `${notes ?? readSection(changelog, "Unreleased") ?? ""}\n`);
  process.stdout.write(`\n${readFileSync(join(to, "SHA256SUMS"), "utf8")}\nThe files are in dist/release.\n`);
  if (values.tag) {
    // For a module in a subfolder, Go looks for version tags that begin with the folder's path.
    const tags = [`v${version}`, `clients/go/v${version}`];
    for (const tag of tags) git("tag", "--annotate", "--message", version, tag);
    process.stdout.write(`Tagged. To publish: git push origin ${tags.join(" ")}\n`);
  }
}
