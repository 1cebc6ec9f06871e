import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { startCommand } from "../../command-line/src/command-line.ts";

startCommand({
  usage: `npm run package

Compiles the server, and builds a Debian package for this machine's processor in dist. The package contains its own Node,
and depends on Debian's packages for everything else. The same sources, Node and SOURCE_DATE_EPOCH result in the same bytes.
`,
});
const root = fileURLToPath(new URL("../..", import.meta.url));
const NAME = "remote-browser-service";

/** Maps Node's architecture names to Debian's. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" };

const PROGRAM = `usr/lib/${NAME}`;
const DOCUMENTS = `usr/share/doc/${NAME}`;
const SETTINGS = `etc/${NAME}/settings`;
/** Maps paths in the package to paths in the repository. */
const FILES: Readonly<Record<string, string>> = {
  [`${PROGRAM}/node`]: "node_modules/node/bin/node",
  [`usr/bin/${NAME}`]: "deploy/debian/remote-browser-service",
  [`${PROGRAM}/backup.sh`]: "deploy/debian/backup.sh",
  [`lib/systemd/system/${NAME}.service`]: "deploy/debian/remote-browser-service.service",
  [`lib/systemd/system/${NAME}-backup.service`]: "deploy/debian/remote-browser-service-backup.service",
  [`lib/systemd/system/${NAME}-backup.timer`]: "deploy/debian/remote-browser-service-backup.timer",
  [SETTINGS]: "deploy/debian/settings",
  [`usr/share/${NAME}/apparmor`]: "deploy/debian/apparmor",
  [`${DOCUMENTS}/README.md`]: "README.md",
  [`${DOCUMENTS}/CHANGELOG.md`]: "CHANGELOG.md",
  [`${DOCUMENTS}/SECURITY.md`]: "SECURITY.md",
  [`${DOCUMENTS}/copyright`]: "LICENSE",
};

/** Matches executable files. */
const PROGRAMS = /(^|\/)bin\/|\/node$/;

/** The data folder, which only root and the server's user can enter. */
const DATA = `var/lib/${NAME}`;

/** dpkg runs these scripts. */
const SCRIPTS = ["postinst", "prerm", "postrm"];

/** The modification time of all files, in seconds since 1970. */
const EPOCH = Number(process.env["SOURCE_DATE_EPOCH"] ?? Math.floor(Date.now() / 1000));

/** The Debian packages that contain the programs this script runs. */
const NEEDS = { "dpkg-deb": "dpkg", strip: "binutils" } as const;

const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
const architecture = ARCHITECTURES[process.arch];
if (architecture === undefined) throw new Error(`Packages can be built for x64 and arm64, not for ${process.arch}.`);

process.umask(0o022);
console.log("Compiling the server…");
execFileSync(process.execPath, [join(root, "scripts/build.ts")], { stdio: "inherit" });
const folder = mkdtempSync(join(tmpdir(), `${NAME}-`));
try {
  console.log("Copying its files…");
  stage();
  writeControl();
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" }))
    lutimesSync(join(folder, path), EPOCH, EPOCH);
  lutimesSync(folder, EPOCH, EPOCH);
  const dist = join(root, "dist");
  mkdirSync(dist, { recursive: true });
  const file = join(dist, `${NAME}_${version}_${architecture}.deb`);
  console.log("Compressing the files. This takes up to two minutes…");
  // Rename the file only when it's complete, so that the package's file is never partial.
  const unfinished = `${file}.unfinished`;
  run("dpkg-deb", ["--root-owner-group", "--build", folder, unfinished]);
  renameSync(unfinished, file);
  console.log(`Packaged: ${relative(process.cwd(), file)}`);
} finally {
  rmSync(folder, { recursive: true });
}

function run(program: keyof typeof NEEDS, args: readonly string[]): void {
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(EPOCH) };
  const { error, status } = spawnSync(program, args, { stdio: ["ignore", "ignore", "inherit"], env });
  if (error !== undefined) throw new Error(`${program} can't be run. Install ${NEEDS[program]}.`, { cause: error });
  if (status !== 0) throw new Error(`${program} exited with ${status}.`);
}

/** Copies all files that the package installs. */
function stage(): void {
  const dist = join(root, "server/dist");
  const others = Object.keys(ARCHITECTURES).filter((each) => each !== process.arch);
  const unwanted = [/\.js\.map$/, /\/musl_/, ...others.map((other) => new RegExp(`koffi-linux-${other}`))];
  const isWanted = (path: string): boolean => !unwanted.some((pattern) => pattern.test(path));
  cpSync(dist, join(folder, PROGRAM), { recursive: true, filter: isWanted });
  for (const [target, source] of Object.entries(FILES)) {
    const path = join(folder, target);
    mkdirSync(dirname(path), { recursive: true });
    cpSync(join(root, source), path);
  }
  run("strip", [join(folder, PROGRAM, "node")]);
  for (const name of readdirSync(join(root, "docs")).filter((each) => each.endsWith(".md"))) {
    cpSync(join(root, "docs", name), join(folder, DOCUMENTS, "docs", name));
  }
  mkdirSync(join(folder, DATA), { recursive: true });
  setModes();
}

/** Sets the modes of all files, because modes in the repository can differ. */
function setModes(): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    chmodSync(path, entry.isDirectory() || PROGRAMS.test(relative(folder, path)) ? 0o755 : 0o644);
  }
  chmodSync(folder, 0o755);
  // Settings can contain secrets.
  chmodSync(join(folder, SETTINGS), 0o600);
  chmodSync(join(folder, DATA), 0o700);
}

/** Writes the package's metadata: deb-control(5), deb-conffiles(5), deb-md5sums(5). */
function writeControl(): void {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  const control = join(folder, "DEBIAN");
  mkdirSync(control);
  const kib = Math.ceil(files.reduce((sum, path) => sum + statSync(path).size, 0) / 1024);
  const values: Readonly<Record<string, string>> = {
    VERSION: version,
    ARCHITECTURE: architecture ?? "",
    SIZE: String(kib),
  };
  const template = readFileSync(join(root, "deploy/debian/control"), "utf8");
  writeFileSync(
    join(control, "control"),
    template.replaceAll(/(?<=^(?:Version|Architecture|Installed-Size): )\w+$/gm, (name) => values[name] ?? name),
  );
  writeFileSync(join(control, "conffiles"), `/${SETTINGS}\n`);
  const sums = files.map((path) => {
    const sum = createHash("md5").update(readFileSync(path)).digest("hex");
    return `${sum}  ${relative(folder, path)}\n`;
  });
  writeFileSync(join(control, "md5sums"), sums.join(""));
  for (const name of SCRIPTS) {
    cpSync(join(root, "deploy/debian", name), join(control, name));
    chmodSync(join(control, name), 0o755);
  }
}
