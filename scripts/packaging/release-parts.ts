import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { copyFileSync, cpSync, globSync, mkdirSync, mkdtempDisposableSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

/** A release that is being built. */
type Release = {
  /** The repository. */
  readonly root: string;
  readonly version: string;
  /** The modification time of all files, in seconds since 1970. */
  readonly epoch: number;
  /** The folder for the release's files. */
  readonly to: string;
};

/** The functions that build the release's parts, by name. */
export const PARTS: Readonly<Record<string, (release: Release) => void>> = {
  "Debian package": buildDebianPackage,
  "server for Node": packServer,
  "npm packages": packNpm,
  "Python packages": packPython,
  "Java packages": packJava,
  "Go module": packGo,
  contract: copyContract,
  SBOM: writeSbom,
  checksums: writeChecksums,
};

/** The folders of the workspace's npm packages. */
const NPM_PACKAGES = ["clients/typescript", "clients/tunnel", "conformance"];

function run({ root, epoch }: Release, program: string, args: readonly string[], cwd = root): string {
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(epoch) };
  return execFileSync(program, args, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}

/** Creates a temporary folder, which is removed on disposal. */
function newFolder() {
  return mkdtempDisposableSync(join(tmpdir(), "release-"));
}

/** Packs a folder reproducibly. */
function pack(release: Release, folder: string, name: string): void {
  const owner = ["--owner=0", "--group=0", "--numeric-owner"];
  const same = ["--sort=name", `--mtime=@${release.epoch}`, ...owner, "--mode=u=rwX,go=rX"];
  const place = [`--transform=s,^\\.,${name},`, "--directory", folder, "."];
  run(release, "tar", ["--create", "--gzip", "--file", join(release.to, `${name}.tar.gz`), ...same, ...place]);
}

function buildDebianPackage(release: Release): void {
  run(release, process.execPath, ["scripts/packaging/debian.ts"]);
  const [file = ""] = globSync(`dist/*_${release.version}_*.deb`, { cwd: release.root });
  copyFileSync(join(release.root, file), join(release.to, basename(file)));
}

/** Packs the compiled server that the Debian package build leaves behind. */
function packServer(release: Release): void {
  using folder = newFolder();
  cpSync(join(release.root, "server/dist"), folder.path, { recursive: true });
  for (const name of ["LICENSE", "CHANGELOG.md"]) copyFileSync(join(release.root, name), join(folder.path, name));
  pack(release, folder.path, `remote-browser-service-${release.version}`);
}

function packNpm(release: Release): void {
  using folder = newFolder();
  for (const name of NPM_PACKAGES) {
    const dist = join(folder.path, name);
    run(release, process.execPath, ["scripts/packaging/npm.ts", name, dist]);
    run(release, "npm", ["pack", dist, "--silent", "--pack-destination", release.to]);
  }
}

function packPython(release: Release): void {
  const python = join(release.root, ".venv/bin/python");
  run(release, python, ["-m", "build", "--no-isolation", "--outdir", release.to, "clients/python"]);
}

function packJava(release: Release): void {
  const at = new Date(release.epoch * 1000).toISOString().replace(/\.\d+/, "");
  using folder = newFolder();
  // Build a copy, because Maven writes its output next to the sources.
  const copy = join(folder.path, "java");
  const isSource = (path: string): boolean => basename(path) !== "target";
  cpSync(join(release.root, "clients/java"), copy, { recursive: true, filter: isSource });
  const options = ["--batch-mode", "--quiet", "-Prelease", "-DskipTests", `-Dproject.build.outputTimestamp=${at}`];
  run(release, "mvn", [...options, "package"], copy);
  const name = `remote-browser-${release.version}`;
  for (const file of globSync(`target/${name}*.jar`, { cwd: copy }))
    copyFileSync(join(copy, file), join(release.to, basename(file)));
  copyFileSync(join(copy, "pom.xml"), join(release.to, `${name}.pom`));
}

/** Packs the Go client for users without access to the repository, from which Go downloads modules. */
function packGo(release: Release): void {
  using folder = newFolder();
  for (const path of run(release, "git", ["ls-files", "-z", "clients/go"]).split("\0").filter(Boolean)) {
    const target = join(folder.path, path.replace("clients/go/", ""));
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(join(release.root, path), target);
  }
  pack(release, folder.path, `remote-browser-go-${release.version}`);
}

/** The contract has its own version. */
function copyContract({ root, to }: Release): void {
  const file = join(root, "openapi/generated/openapi.json");
  const { info } = JSON.parse(readFileSync(file, "utf8")) as { readonly info: { readonly version: string } };
  copyFileSync(file, join(to, `remote-browser-contract-${info.version}.json`));
}

/** Writes the server's SBOM in CycloneDX format. Replaces npm's random serial number and timestamp. */
function writeSbom(release: Release): void {
  const args = ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only", "--omit", "dev", "--workspace", "server"];
  const list = JSON.parse(run(release, "npm", args)) as {
    serialNumber: string;
    metadata: { timestamp: string; component: { name: string } };
  };
  list.metadata.timestamp = new Date(release.epoch * 1000).toISOString();
  list.metadata.component.name = "remote-browser-service";
  list.serialNumber = "";
  const digest = hash("sha256", JSON.stringify(list));
  const [, ...groups] = /^(.{8})(.{4})(.{3})(.{3})(.{12})/.exec(digest) ?? [];
  const [first, second, third, fourth, last] = groups;
  list.serialNumber = `urn:uuid:${first}-${second}-8${third}-8${fourth}-${last}`;
  writeFileSync(
    join(release.to, `remote-browser-service-${release.version}.cdx.json`),
    `${JSON.stringify(list, undefined, 2)}\n`,
  );
}

function writeChecksums({ to }: Release): void {
  const names = globSync("*", { cwd: to }).toSorted();
  const sumOf = (name: string): string => hash("sha256", readFileSync(join(to, name)));
  writeFileSync(join(to, "SHA256SUMS"), names.map((name) => `${sumOf(name)}  ${name}\n`).join(""));
}
