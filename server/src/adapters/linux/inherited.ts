import { closeSync, openSync, readFileSync, readdirSync } from "node:fs";

const O_CLOEXEC = 0o2_000_000;

/** Gives up the terminal: ioctl_tty(2). */
const TIOCNOTTY = 0x5422;

/**
 * Closes inherited descriptors except standard input and output, because they could refer to root's files. Node's own
 * descriptors, and inherited descriptors that Node finds at startup, have the close-on-exec flag.
 */
export function closeInherited(): void {
  for (const fd of readdirSync("/proc/self/fd").map(Number)) {
    if (fd > 2 && !isOwn(fd)) closeSync(fd);
  }
}

/** Whether a descriptor is closed or has the close-on-exec flag. */
function isOwn(fd: number): boolean {
  try {
    const [, flags = "0"] = /^flags:\s+([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "latin1")) ?? [];
    return (Number.parseInt(flags, 8) & O_CLOEXEC) !== 0;
  } catch {
    return true;
  }
}

/**
 * Detaches the process from root's terminal, because on most kernels the process could type commands into root's shell.
 * The process can still write to the terminal, and Ctrl-C still reaches it. A session leader, as in a container, keeps
 * its terminal, because no shell reads from it.
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
  // The program name, in parentheses, can contain any character. In proc_pid_stat(5), the next field is number 3.
  const [, , , session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(session) === process.pid;
}

/** @returns Undefined if the process has no terminal. */
function openTerminal(): number | undefined {
  try {
    return openSync("/dev/tty", "r");
  } catch {
    return undefined;
  }
}
