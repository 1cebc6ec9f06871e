import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { findMirror } from "./debian-image.ts";
import type { Engine } from "./docker-engine.ts";
import { runProgram } from "./run-program.ts";
import { REPOSITORY } from "./run-script.ts";

const RELEASE = "bookworm";
const BASE = "debian:12-slim";

/** Certificates that this machine's operator added, which its package mirrors may require. */
const CERTIFICATES = "usr/local/share/ca-certificates";

/** Paths to omit: files that Debian's slim image also omits, and packages that apt has downloaded. */
const LEFT_OUT = ["usr/share/man", "usr/share/locale", "usr/share/info", "var/lib/apt/lists", "var/cache", "var/log"];

const MAKE_MS = 900_000;
const BUILD_MS = 2_400_000;

/** Builds the Dockerfile's base image, so that the test doesn't use a registry. */
export async function importBase({ host }: Engine): Promise<void> {
  const system = mkdtempSync(join(tmpdir(), "base-"));
  try {
    const mirror = await findMirror(RELEASE);
    const options = ["--variant=minbase", "--include=ca-certificates"];
    await runProgram("debootstrap", [...options, RELEASE, system, mirror], {}, MAKE_MS);
    const sources = [
      `deb ${mirror} ${RELEASE} main`,
      `deb ${await findMirror(`${RELEASE}-security`)} ${RELEASE}-security main`,
    ];
    writeFileSync(join(system, "etc/apt/sources.list"), `${sources.join("\n")}\n`);
    if (existsSync(join("/", CERTIFICATES)))
      for (const name of readdirSync(join("/", CERTIFICATES)).filter((each) => each.endsWith(".crt")))
        copyFileSync(join("/", CERTIFICATES, name), join(system, CERTIFICATES, name));
    await runProgram("chroot", [system, "update-ca-certificates"]);
    await importFolder(host, system);
  } finally {
    rmSync(system, { recursive: true });
  }
}

async function importFolder(host: string, folder: string): Promise<void> {
  const without = LEFT_OUT.map((path) => `--exclude=./${path}/*`);
  const writer = spawn("tar", ["--create", "--directory", folder, ...without, "."], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const change = "ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt";
  const importer = spawn("docker", ["import", "--change", change, "-", BASE], {
    env: { ...process.env, DOCKER_HOST: host },
    stdio: ["pipe", "ignore", "inherit"],
  });
  const [[code]] = await Promise.all([once(importer, "exit"), pipeline(writer.stdout, importer.stdin)]);
  if (code !== 0) throw new Error(`Failed to import the base image: docker exited with ${code}.`);
}

/** Builds a variant of the service's image. @returns Its name. */
export async function buildImage({ docker }: Engine, flavour: string): Promise<string> {
  const name = `remote-browser-service:${flavour}`;
  const file = ["--file", join(REPOSITORY, "deploy/Dockerfile"), "--target", flavour];
  await docker(["build", "--quiet", "--network", "host", ...file, "--tag", name, REPOSITORY], BUILD_MS);
  return name;
}

/** Builds the image of the conformance suite. @returns Its name. */
export async function buildSuiteImage({ docker }: Engine): Promise<string> {
  const file = ["--file", join(REPOSITORY, "deploy/conformance.Dockerfile")];
  await docker(["build", "--quiet", "--network", "host", ...file, "--tag", "rbs-conformance", REPOSITORY], BUILD_MS);
  return "rbs-conformance";
}

/** The `docker run` options that docs/install.md tells users to pass, except ports and settings. */
export function readDocumentedOptions(): string[] {
  const text = readFileSync(join(REPOSITORY, "docs/install.md"), "utf8");
  const [, command = ""] = /^(docker run [^]*?)\n```/m.exec(text) ?? [];
  const words = command.replaceAll("\\\n", " ").split(/\s+/).slice(2, -1);
  const isReplaced = (word: string | undefined): boolean =>
    ["--publish", "--env", "--name", "--volume"].includes(word ?? "");
  return words
    .filter((word, at) => word !== "--detach" && !isReplaced(word) && !isReplaced(words[at - 1]))
    .map((word) => word.replace("deploy/", `${REPOSITORY}deploy/`));
}
