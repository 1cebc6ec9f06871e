import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, cpSync, globSync, mkdirSync, mkdtempDisposableSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

/** A release that is being built. */
type Release = {
  /** The repository. */
  readonly root: string;
  readonly version: string;
  /** The time of all files, in seconds since 1970. */
  readonly epoch: number;
  /** The folder for the release's files. */
  readonly to: string;
};

/** What a release consists of: the name of each part, and what builds it. */
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

/** The folders of the packages of this workspace that npm publishes. */
const NPM_PACKAGES = ["clients/typescript", "clients/tunnel", "conformance"];

function run({ root, epoch }: Release, program: string, args: readonly string[], cwd = root): string {
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(epoch) };
  return execFileSync(program, args, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}

/** Runs something with a folder that is removed afterwards. */
function withFolder(use: (folder: string) => void): void {
  using folder = mkdtempDisposableSync(join(tmpdir(), "release-"));
  use(folder.path);
}

/** Packs a folder reproducibly. */
function pack(release: Release, folder: string, name: string): void {
  const same = [
    "--sort=name",
    `--mtime=@${release.epoch}`,
    "--owner=0",
    "--group=0",
    "--numeric-owner",
    "--mode=u=rwX,go=rX",
  ];
  const place = [`--transform=s,^\\.,${name},`, "--directory", folder, "."];
  run(release, "tar", ["--create", "--gzip", "--file", join(release.to, `${name}.tar.gz`), ...same, ...place]);
}

function buildDebianPackage(release: Release): void {
  run(release, process.execPath, ["scripts/packaging/debian.ts"]);
  const [file = ""] = globSync(`dist/*_${release.version}_*.deb`, { cwd: release.root });
  copyFileSync(join(release.root, file), join(release.to, basename(file)));
}

/** The compiled server, which the Debian package's build leaves behind. */
function packServer(release: Release): void {
  withFolder((folder) => {
    cpSync(join(release.root, "server/dist"), folder, { recursive: true });
    for (const name of ["LICENSE", "CHANGELOG.md"]) copyFileSync(join(release.root, name), join(folder, name));
    pack(release, folder, `remote-browser-service-${release.version}`);
  });
}

function packNpm(release: Release): void {
  withFolder((folder) => {
    for (const name of NPM_PACKAGES) {
      const dist = join(folder, name);
      run(release, process.execPath, ["scripts/packaging/npm.ts", name, dist]);
      run(release, "npm", ["pack", dist, "--silent", "--pack-destination", release.to]);
    }
  });
}

function packPython(release: Release): void {
  const python = join(release.root, ".venv/bin/python");
  run(release, python, ["-m", "build", "--no-isolation", "--outdir", release.to, "clients/python"]);
}

function packJava(release: Release): void {
  const at = new Date(release.epoch * 1000).toISOString().replace(/\.\d+/, "");
  withFolder((folder) => {
    // Maven builds beside the sources.
    const copy = join(folder, "java");
    const isSource = (path: string): boolean => basename(path) !== "target";
    cpSync(join(release.root, "clients/java"), copy, { recursive: true, filter: isSource });
    const options = ["--batch-mode", "--quiet", "-Prelease", "-DskipTests", `-Dproject.build.outputTimestamp=${at}`];
    run(release, "mvn", [...options, "package"], copy);
    const name = `remote-browser-${release.version}`;
    for (const file of globSync(`target/${name}*.jar`, { cwd: copy }))
      copyFileSync(join(copy, file), join(release.to, basename(file)));
    copyFileSync(join(copy, "pom.xml"), join(release.to, `${name}.pom`));
  });
}

/** Go downloads modules by the repository's tags. This archive is for users who can't. */
function packGo(release: Release): void {
  withFolder((folder) => {
    for (const path of run(release, "git", ["ls-files", "-z", "clients/go"]).split("\0").filter(Boolean)) {
      const target = join(folder, path.replace("clients/go/", ""));
      mkdirSync(dirname(target), { recursive: true });
      copyFileSync(join(release.root, path), target);
    }
    pack(release, folder, `remote-browser-go-${release.version}`);
  });
}

/** The contract has a version of its own. */
function copyContract({ root, to }: Release): void {
  const file = join(root, "openapi/generated/openapi.json");
  const { info } = JSON.parse(readFileSync(file, "utf8")) as { readonly info: { readonly version: string } };
  copyFileSync(file, join(to, `remote-browser-contract-${info.version}.json`));
}

/** The server's SBOM, in CycloneDX format. npm adds a random number and the time, which this replaces. */
function writeSbom(release: Release): void {
  const args = ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only", "--omit", "dev", "--workspace", "server"];
  const list = JSON.parse(run(release, "npm", args)) as {
    serialNumber: string;
    metadata: { timestamp: string; component: { name: string } };
  };
  list.metadata.timestamp = new Date(release.epoch * 1000).toISOString();
  list.metadata.component.name = "remote-browser-service";
  list.serialNumber = "";
  const digest = createHash("sha256").update(JSON.stringify(list)).digest("hex");
  const [, ...groups] = /^(.{8})(.{4})(.{3})(.{3})(.{12})/.exec(digest) ?? [];
  const [first, second, third, fourth, last] = groups;
  list.serialNumber = `urn:uuid:${first}-${second}-8${third}-8${fourth}-${last}`;
  writeFileSync(
    join(release.to, `remote-browser-service-${release.version}.cdx.json`),
    `${JSON.stringify(list, undefined, 2)}\n`,
  );
}

function writeChecksums({ to }: Release): void {
  const lines = globSync("*", { cwd: to })
    .toSorted()
    .map(
      (name) =>
        `${createHash("sha256")
          .update(readFileSync(join(to, name)))
          .digest("hex")}  ${name}\n`,
    );
  writeFileSync(join(to, "SHA256SUMS"), lines.join(""));
}
