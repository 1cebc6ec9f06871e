import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync } from "node:fs";
import { renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "./run-script.ts";
import { runProgram } from "./run-program.ts";

/** The files from which a virtual machine boots Debian. */
export type DebianImage = { readonly disk: string; readonly kernel: string; readonly initrd: string };

/** The folder that stores virtual machines' files. */
export const MACHINES = join(REPOSITORY, "node_modules/.cache/virtual-machine");

const RELEASE = "bookworm";
const DEFAULT_MIRROR = "http://deb.debian.org/debian";

/** Debian's kernel for virtual machines is a fifth of the size of the standard kernel. */
const PACKAGES = [
  ...["linux-image-cloud-amd64", "initramfs-tools", "udev", "kmod"],
  ...["systemd-sysv", "dbus", "libpam-systemd", "dbus-user-session"],
  ...["perl", "procps", "curl", "apparmor", "bubblewrap", "fontconfig", "chromium-headless-shell"],
];

/** The size of each disk, which is a sparse file. */
export const DISK_SIZE = "4G";

/** Time limit for downloading and installing the packages. */
export const MAKE_MS = 900_000;

/** The user that runs the tests' commands. The user's systemd instance starts with the machine. */
export const ORDINARY_USER = "tester";

/** The mount point and label of the repository's disk. */
export const GUEST_REPOSITORY = "/repository";
export const REPOSITORY_LABEL = "repository";

/** The name of the port that receives commands. */
export const COMMANDS = "commands";

/** The first line that the agent sends each time the machine starts. */
export const READY = "ready";

/** A request is a line with a time limit and a command. The response is a line with the exit code and the output. */
const AGENT = `#!/bin/bash
exec 3<>/dev/virtio-ports/${COMMANDS}
echo ${READY} >&3
while read -r seconds command <&3; do
  output=$(timeout --kill-after 5 "$seconds" bash -c "$(base64 -d <<< "$command")" 2>&1 </dev/null 3>&-)
  echo "$? $(base64 -w 0 <<< "$output")" >&3
done
`;

/**
 * After a start, the port's device sometimes appears late. Until the device exists, the agent exits and is restarted.
 */
const SERVICE = `[Unit]
After=dbus.service systemd-user-sessions.service
StartLimitIntervalSec=0
[Service]
Restart=always
RestartSec=1
ExecStart=/usr/local/sbin/${COMMANDS}
Environment=PATH=${GUEST_REPOSITORY}/node_modules/.bin:/usr/sbin:/usr/bin:/sbin:/bin
`;

/**
 * Builds the image if it doesn't exist. Requires root.
 * @throws {Error} If the packages can't be downloaded and installed.
 */
export async function makeDebianImage(): Promise<DebianImage> {
  // The image depends only on this file.
  const recipe = createHash("sha256")
    .update(readFileSync(import.meta.filename))
    .digest("hex");
  const folder = join(MACHINES, recipe.slice(0, 16));
  if (!existsSync(folder)) {
    rmSync(MACHINES, { recursive: true, force: true });
    mkdirSync(MACHINES, { recursive: true });
    const work = mkdtempSync(join(MACHINES, "work-"));
    try {
      renameSync(await makeFiles(work), folder);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  }
  return { disk: join(folder, "disk"), kernel: join(folder, "vmlinuz"), initrd: join(folder, "initrd.img") };
}

/** @returns The folder that contains the image's files. */
async function makeFiles(work: string): Promise<string> {
  const [system, files] = [join(work, "system"), join(work, "files")];
  mkdirSync(files);
  const options = ["--variant=minbase", `--include=${PACKAGES.join()}`];
  await runProgram("debootstrap", [...options, RELEASE, system, await findMirror(RELEASE)], {}, MAKE_MS);
  await configure(system);
  const boot = join(system, "boot");
  for (const name of ["vmlinuz", "initrd.img"]) {
    const file = readdirSync(boot).find((each) => each.startsWith(`${name}-`)) ?? "";
    copyFileSync(join(boot, file), join(files, name));
  }
  await runProgram("mke2fs", ["-q", "-t", "ext4", "-d", system, join(files, "disk"), DISK_SIZE], {}, MAKE_MS);
  return files;
}

async function configure(system: string): Promise<void> {
  mkdirSync(join(system, GUEST_REPOSITORY));
  writeFileSync(join(system, "etc/fstab"), `LABEL=${REPOSITORY_LABEL} ${GUEST_REPOSITORY} ext4 defaults 0 0\n`);
  await runProgram("chroot", [system, "useradd", "--create-home", "--shell", "/bin/bash", ORDINARY_USER]);
  const linger = join(system, "var/lib/systemd/linger");
  mkdirSync(linger, { recursive: true });
  writeFileSync(join(linger, ORDINARY_USER), "");
  const [agent, unit] = [join(system, "usr/local/sbin", COMMANDS), `etc/systemd/system/${COMMANDS}.service`];
  writeFileSync(agent, AGENT);
  chmodSync(agent, 0o755);
  writeFileSync(join(system, unit), SERVICE);
  const wants = join(system, "etc/systemd/system/multi-user.target.wants");
  mkdirSync(wants, { recursive: true });
  symlinkSync(`/${unit}`, join(wants, `${COMMANDS}.service`));
}

/** Returns the mirror that this machine's apt uses for a release. */
export async function findMirror(release: string): Promise<string> {
  const format = ["--format", "$(RELEASE) $(COMPONENT) $(REPO_URI)", "Created-By: Packages"];
  const targets = await runProgram("apt-get", ["indextargets", ...format]).catch(() => "");
  const fallback = release.endsWith("-security") ? `${DEFAULT_MIRROR}-security` : DEFAULT_MIRROR;
  const [, mirror = fallback] = new RegExp(`^${release} main (\\S+)$`, "m").exec(targets) ?? [];
  return mirror;
}
