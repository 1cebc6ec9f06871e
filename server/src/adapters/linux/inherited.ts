import { closeSync, openSync, readFileSync, readdirSync } from "node:fs";

const O_CLOEXEC = 0o2_000_000;

/** The request of ioctl(2) that gives up the terminal: ioctl_tty(2). */
const TIOCNOTTY = 0x5422;

/**
 * Closes descriptors that the process has inherited, besides standard input and output: they could lead to root's
 * files. Node's own ones all close when a program starts, and so do inherited ones that Node has found.
 */
export function closeInherited(): void {
  for (const fd of readdirSync("/proc/self/fd").map(Number)) {
    if (fd > 2 && !isOwn(fd)) closeSync(fd);
  }
}

/** True for one that is closed already. */
function isOwn(fd: number): boolean {
  try {
    const [, flags = "0"] = /^flags:\s+([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "latin1")) ?? [];
    return (Number.parseInt(flags, 8) & O_CLOEXEC) !== 0;
  } catch {
    return true;
  }
}

/**
 * Detaches the process from root's terminal. On most kernels, a process can type commands into its terminal, and root's
 * shell would run them. The process can still write to the terminal, and Ctrl-C still reaches it. The leader of a
 * session, as in a container, keeps the terminal, because no shell reads from it.
 */
export async function leaveTerminal(): Promise<void> {
  const terminal = openTerminal();
  if (terminal === undefined) return;
  if (isSessionLeader()) return closeSync(terminal);
  const { default: koffi } = await import("koffi");
  const ioctl = koffi.load("libc.so.6").func("int ioctl(int fd, unsigned long request, ...)");
  const result = Number(ioctl(terminal, TIOCNOTTY, "int", 0));
  closeSync(terminal);
  if (result !== 0 || openTerminal() !== undefined)
    throw new Error("The server could not detach from root's terminal.");
}

function isSessionLeader(): boolean {
  const stat = readFileSync("/proc/self/stat", "latin1");
  // The program's name, in brackets, can contain anything. proc_pid_stat(5) counts the fields after it from 3.
  const [, , , session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(session) === process.pid;
}

/** @returns Undefined if the process has none. */
function openTerminal(): number | undefined {
  try {
    return openSync("/dev/tty", "r");
  } catch {
    return undefined;
  }
}
