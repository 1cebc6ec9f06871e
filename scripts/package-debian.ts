import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * `npm run package` compiles the server, and makes a Debian package of it in dist/ for this machine's processor. The package
 * brings its own Node. Everything else comes from Debian.
 */
const root = fileURLToPath(new URL("..", import.meta.url));
const NAME = "remote-browser-service";

/** Debian's names of processors, by Node's. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" };

/** Where things are, in the package and in the repository. */
const PROGRAM = `usr/lib/${NAME}`;
const DOCUMENTS = `usr/share/doc/${NAME}`;
const FILES: Readonly<Record<string, string>> = {
  [`${PROGRAM}/node`]: "node_modules/node/bin/node",
  [`usr/bin/${NAME}`]: "deploy/debian/remote-browser-service",
  [`lib/systemd/system/${NAME}.service`]: "deploy/debian/remote-browser-service.service",
  [`etc/${NAME}/settings`]: "deploy/debian/settings",
  [`${DOCUMENTS}/README.md`]: "README.md",
  [`${DOCUMENTS}/CHANGELOG.md`]: "CHANGELOG.md",
  [`${DOCUMENTS}/SECURITY.md`]: "SECURITY.md",
  [`${DOCUMENTS}/copyright`]: "LICENSE",
};

/** Scripts that dpkg runs. */
const SCRIPTS = ["postinst", "prerm", "postrm"];

const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
const architecture = ARCHITECTURES[process.arch];
if (architecture === undefined) throw new Error(`Packages can be built for x64 and arm64, not for ${process.arch}.`);

execFileSync(process.execPath, [join(root, "scripts/build.ts")], { stdio: "inherit" });
const folder = mkdtempSync(join(tmpdir(), `${NAME}-`));
try {
  stage();
  writeControl();
  const dist = join(root, "dist");
  mkdirSync(dist, { recursive: true });
  const file = join(dist, `${NAME}_${version}_${architecture}.deb`);
  rmSync(file, { force: true });
  execFileSync("dpkg-deb", ["--root-owner-group", "--build", folder, file], { stdio: ["ignore", "ignore", "inherit"] });
  console.log(`Packaged: ${relative(process.cwd(), file)}`);
} finally {
  rmSync(folder, { recursive: true });
}

/** Copies everything that is installed. */
function stage(): void {
  chmodSync(folder, 0o755);
  const dist = join(root, "server/dist");
  const others = Object.keys(ARCHITECTURES).filter((each) => each !== process.arch);
  const isWanted = (path: string): boolean =>
    !path.endsWith(".js.map") && !others.some((other) => path.includes(`koffi-linux-${other}`));
  cpSync(dist, join(folder, PROGRAM), { recursive: true, filter: isWanted });
  for (const [target, source] of Object.entries(FILES)) {
    const path = join(folder, target);
    mkdirSync(dirname(path), { recursive: true });
    cpSync(join(root, source), path);
    chmodSync(path, /(^|\/)bin\/|\/node$/.test(target) ? 0o755 : 0o644);
  }
  for (const name of readdirSync(join(root, "docs")).filter((each) => each.endsWith(".md"))) {
    cpSync(join(root, "docs", name), join(folder, DOCUMENTS, "docs", name));
  }
}

/** Writes what dpkg reads: deb-control(5), deb-conffiles(5), deb-md5sums(5). */
function writeControl(): void {
  const files = list(folder);
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
  writeFileSync(join(control, "conffiles"), `/etc/${NAME}/settings\n`);
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

/** All files below a folder, sorted. */
function list(parent: string): string[] {
  return readdirSync(parent, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}
