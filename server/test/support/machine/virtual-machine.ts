import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { type Server, type Socket, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import {
  COMMANDS,
  type DebianImage,
  DISK_SIZE,
  MACHINES,
  MAKE_MS,
  READY,
  REPOSITORY_LABEL,
  makeDebianImage,
} from "./debian-image.ts";
import { REPOSITORY } from "./run-script.ts";
import { runProgram } from "./run-program.ts";

/** An emulated machine that runs Debian with systemd and cgroup v2. Disposing stops the machine. */
export type VirtualMachine = AsyncDisposable & {
  /**
   * Runs a shell command as root. Run one command at a time.
   * @returns Its output.
   * @throws {Error} With the output, if the command fails or times out.
   */
  run(command: string, timeoutS?: number): Promise<string>;

  /** Reboots, and waits until the machine accepts commands. */
  reboot(): Promise<void>;
};

/** The missing requirements for virtual machines, for test titles; empty if all are met. */
export const MACHINE_NEEDS = describeNeeds();

/** Time limit that includes building the image, which downloads 200 MB. */
export const MACHINE_MS = 1_200_000;

/**
 * The processor is emulated, because KVM is not available everywhere. The machine has a single processor, because
 * programs that compile at run time, such as Node and Chromium, can crash if QEMU emulates several processors in
 * threads.
 */
const MACHINE = ["-accel", "tcg,thread=single", "-cpu", "max", "-smp", "1", "-m", "3072"];
const DEVICES = ["-nodefaults", "-no-user-config", "-display", "none", "-serial", "stdio"];

/** This machine runs only trusted programs, so CPU mitigations are off to save time. */
const KERNEL = "root=/dev/vda rw console=ttyS0 quiet mitigations=off tsc=reliable";

/** The prefix of folders for copies of the repository. Node doesn't run TypeScript below `node_modules`. */
const COPIES = "/var/tmp/rbs-machine-";

const BOOT_S = 300;
const COMMAND_S = 60;

/** How long after its time limit a command may still respond, in seconds. */
const ANSWER_S = 30;

/** The maximum length of the console output in an error. */
const CONSOLE_CHARS = 4000;

function describeNeeds(): string {
  const lacks = [
    ...(process.getuid?.() === 0 ? [] : ["root"]),
    ...(process.arch === "x64" ? [] : ["an x64 processor"]),
    ...["debootstrap", "mke2fs", "qemu-system-x86_64"].filter(
      (program) => spawnSync(program, ["--version"]).error !== undefined,
    ),
  ];
  return lacks.length === 0 ? "" : ` (needs ${lacks.join(", ")})`;
}

/** Starts the machine, and waits until it accepts commands. Discards disk changes. Requires root. */
export async function startVirtualMachine(): Promise<VirtualMachine> {
  const image = await makeDebianImage();
  await using acquired = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "virtual-machine-"));
  acquired.defer(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "commands.sock");
  const server = acquired.use(createServer().listen(path));
  await once(server, "listening");
  const emulator = startEmulator(image, await makeRepositoryDisk(), path);
  const ended = once(emulator, "close");
  acquired.defer(async () => {
    emulator.kill("SIGKILL");
    await ended;
  });
  const readConsole = keepConsole(emulator);
  const socket = await accept(server, ended, readConsole);
  acquired.defer(() => void socket.destroy());
  const commands = await talk(socket, readConsole);
  const resources = acquired.move();
  return { ...commands, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

/** Creates a disk with a copy of the repository, the compiled server and its package. @returns The disk's file. */
async function makeRepositoryDisk(): Promise<string> {
  const disk = join(MACHINES, "repository.disk");
  rmSync(disk, { force: true });
  const folder = mkdtempSync(COPIES);
  try {
    const packages = join(folder, "node_modules");
    mkdirSync(packages);
    await copy(REPOSITORY, /^\.|^node_modules$|^dist$/, folder);
    await copy(join(REPOSITORY, "node_modules"), /^\.cache$/, packages);
    execFileSync(process.execPath, [join(folder, "scripts/packaging/debian.ts")]);
    const options = ["-q", "-t", "ext4", "-L", REPOSITORY_LABEL, "-d", folder];
    await runProgram("mke2fs", [...options, disk, DISK_SIZE], {}, MAKE_MS);
    return disk;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param left Matches the names of files that aren't copied. */
async function copy(from: string, left: RegExp, to: string): Promise<void> {
  const names = readdirSync(from).filter((name) => !left.test(name));
  await runProgram("cp", ["--archive", ...names.map((name) => join(from, name)), to], {}, MAKE_MS);
}

/** Starts an emulator that exits when this process does. */
function startEmulator({ disk, kernel, initrd }: DebianImage, repository: string, commands: string): ChildProcess {
  const system = ["-kernel", kernel, "-initrd", initrd, "-append", KERNEL];
  const drives = [disk, repository].flatMap((file) => ["-drive", `file=${file},format=raw,if=virtio,snapshot=on`]);
  const port = [
    ...["-device", "virtio-serial", "-chardev", `socket,id=${COMMANDS},path=${commands}`],
    ...["-device", `virtserialport,chardev=${COMMANDS},name=${COMMANDS}`],
  ];
  const command = ["--pdeathsig", "KILL", "--", "qemu-system-x86_64", ...MACHINE, ...DEVICES];
  return spawn("setpriv", [...command, ...system, ...drives, ...port], { stdio: ["ignore", "pipe", "pipe"] });
}

/** Returns a function that reads the latest output of the machine's console and the emulator. */
function keepConsole({ stdout, stderr }: ChildProcess): () => string {
  let kept = "";
  for (const stream of [stdout, stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => (kept = (kept + text).slice(-CONSOLE_CHARS)));
  }
  return () => kept;
}

async function accept(server: Server, ended: Promise<unknown>, readConsole: () => string): Promise<Socket> {
  const connected = once(server, "connection") as Promise<[Socket]>;
  const failed = ended.then(() => Promise.reject(new Error(`The emulator failed to start: ${readConsole()}`)));
  const [socket] = await Promise.race([connected, failed]);
  failed.catch(() => undefined);
  return socket.on("error", () => {});
}

/** Waits for the first line, then sends commands and reads their responses. */
async function talk(socket: Socket, readConsole: () => string): Promise<Pick<VirtualMachine, "run" | "reboot">> {
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  const readLine = async (timeoutS: number): Promise<string> => {
    const late = Promise.withResolvers<never>();
    const fail = (what: string): void => late.reject(new Error(`The virtual machine ${what}: ${readConsole()}`));
    const timer = setTimeout(fail, timeoutS * 1000, `did not respond within ${timeoutS} s`);
    try {
      const { value, done } = await Promise.race([lines.next(), late.promise]);
      if (done !== true) return value;
      fail("has ended");
      return await late.promise;
    } finally {
      clearTimeout(timer);
    }
  };
  await readLine(BOOT_S);
  const send = (command: string, timeoutS: number): void =>
    void socket.write(`${timeoutS} ${Buffer.from(command).toString("base64")}\n`);
  const run: VirtualMachine["run"] = async (command, timeoutS = COMMAND_S) => {
    send(command, timeoutS);
    const [code, output = ""] = (await readLine(timeoutS + ANSWER_S)).split(" ");
    const text = Buffer.from(output, "base64").toString();
    if (code !== "0") throw new Error(`${command}\nended with ${code}:\n${text}`);
    return text;
  };
  const reboot = async (): Promise<void> => {
    send("systemctl reboot", COMMAND_S);
    while ((await readLine(BOOT_S)) !== READY);
  };
  return { run, reboot };
}
