import { closeSync, openSync, writeFileSync } from "node:fs";
import { abort } from "node:process";
import { getSystemErrorName, promisify } from "node:util";
import { PROXY_BACKLOG } from "../bubblewrap.ts";

const { default: koffi } = await import("koffi").catch((cause: unknown) => {
  const name = `@koromix/koffi-${process.platform}-${process.arch}`;
  throw new Error(`The package ${name} is missing or can't be loaded. Install the server on this type of machine.`, {
    cause,
  });
});

/** C library functions that Node lacks. Only mounting can block. The caller owns returned descriptors. */
const library = koffi.load("libc.so.6");
const setns = library.func("int setns(int fd, int nstype)");
const socket = library.func("int socket(int domain, int type, int protocol)");
const socketpair = library.func("int socketpair(int domain, int type, int protocol, void *fds)");
const setsockopt = library.func("int setsockopt(int fd, int level, int name, void *value, int length)");
const bind = library.func("int bind(int fd, void *address, int length)");
const listen = library.func("int listen(int fd, int backlog)");
const connect = library.func("int connect(int fd, void *address, int length)");
const mount = library.func("int mount(str source, str target, str type, unsigned long flags, str data)");
const umount2 = library.func("int umount2(str target, int flags)");
const fallocate = library.func("int fallocate(int fd, int mode, long offset, long length)");
const ioctl = library.func("int ioctl(int fd, unsigned long request, void *argument)");
const waitpid = library.func("int waitpid(int pid, void *status, int options)");
const syscall = library.func("long syscall(long number, long first, long second, long third, long fourth)");

const CLONE_NEWNET = 0x4000_0000;
const [AF_UNIX, AF_INET] = [1, 2];
const [SOCK_STREAM, SOCK_NONBLOCK, SOCK_CLOEXEC] = [1, 0o4000, 0o2_000_000];
const STREAM = SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC;
const [SOL_SOCKET, SO_REUSEADDR] = [1, 2];
const [IPPROTO_IP, IP_FREEBIND] = [0, 15];
const [IPPROTO_TCP, TCP_NODELAY] = [6, 1];
const [MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT, MS_BIND, MS_REC] = [1, 2, 4, 8, 32, 4096, 16_384];
const MNT_DETACH = 2;
/** Tenants write to the file systems mounted here, which must not contain devices or executable programs. */
const FILES_ONLY = MS_NOSUID | MS_NODEV | MS_NOEXEC;
const WNOHANG = 1;
const SIGKILL = 9;
/** System call numbers, which are the same on every architecture. */
const [PIDFD_SEND_SIGNAL, PIDFD_OPEN, CLOSE_RANGE] = [424, 434, 436];
const CLOSE_RANGE_CLOEXEC = 4;

const UNIX_BACKLOG = 128;

/** Maximum length of a Unix socket's path, including the terminating byte. */
const UNIX_PATH = 108;

/**
 * Minimum, initial and maximum sizes of a connection's buffers: tcp(7). The maximum is below the usual 4 MB without
 * slowing loopback down. Half of this maximum would slow downloads.
 */
const TCP_BUFFERS = { tcp_rmem: "4096 131072 524288", tcp_wmem: "4096 16384 524288" };

const ownNetwork = openSync("/proc/self/ns/net", "r");

/** Opens a process's network namespace. @throws {Error} With the code `ENOENT` if the process has ended. */
export function openNetwork(pid: number): number {
  return openSync(`/proc/${pid}/ns/net`, "r");
}

/** Limits the kernel's buffers for TCP connections in a network namespace, including the server's side. */
export function limitBuffers(network: number): void {
  inNetwork(network, () => {
    for (const [name, bytes] of Object.entries(TCP_BUFFERS)) writeFileSync(`/proc/sys/net/ipv4/${name}`, bytes);
  });
}

/**
 * Connects to a port on a network namespace's loopback interface. If the listener's queue is full, the returned socket
 * is still connecting: it can be written to, and reports a refused connection as an error.
 * @param network A file descriptor of the namespace.
 * @throws {Error} With the code `ECONNREFUSED` if no program is listening.
 */
export function connectLoopback(network: number, port: number): number {
  const [fd, address] = [newSocketIn(network), toLoopback(port)];
  return closeOnFailure(fd, () => {
    check("setsockopt", setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, toInt(1), 4));
    // The first call only reports that connecting has begun. Loopback usually completes the handshake before the first
    // call returns, so the second call reports the result.
    connect(fd, address, address.length);
    check("connect", connect(fd, address, address.length), ["EISCONN", "EALREADY"]);
  });
}

/** Listens on a loopback port of a network namespace, even if loopback is down. @param network Namespace descriptor. */
export function listenLoopback(network: number, port: number): number {
  const [fd, address] = [newSocketIn(network), toLoopback(port)];
  return closeOnFailure(fd, () => {
    check("setsockopt", setsockopt(fd, IPPROTO_IP, IP_FREEBIND, toInt(1), 4));
    check("setsockopt", setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, toInt(1), 4));
    check("bind", bind(fd, address, address.length));
    check("listen", listen(fd, PROXY_BACKLOG));
  });
}

/** @throws {Error} With code `EAGAIN` if the listener's queue is full; `ECONNREFUSED` if no program is listening. */
export function connectUnix(path: string): number {
  const [fd, address] = [check("socket", socket(AF_UNIX, STREAM, 0)), toUnix(path)];
  return closeOnFailure(fd, () => check("connect", connect(fd, address, address.length)));
}

/** Listens on a path. The socket is blocking, as the programs that inherit it expect. */
export function listenUnix(path: string): number {
  const fd = check("socket", socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const address = toUnix(path);
  return closeOnFailure(fd, () => {
    check("bind", bind(fd, address, address.length));
    check("listen", listen(fd, UNIX_BACKLOG));
  });
}

/** Creates two connected sockets, which child processes don't inherit by default. */
export function newSocketPair(): [number, number] {
  const fds = Buffer.alloc(8);
  check("socketpair", socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds));
  return [fds.readInt32LE(0), fds.readInt32LE(4)];
}

/**
 * Mounts an in-memory file system that only this process and its children can see.
 * @param name The source to show in the mount table.
 * @param options See mount(8).
 */
export function mountMemory(name: string, path: string, options: string): void {
  check("mount", mount(name, path, "tmpfs", FILES_ONLY, options));
}

/** Like `mountMemory`, but mounts a device, in a thread, because this takes milliseconds. Errors have no code. */
export async function mountDevice(device: string, path: string, type: string, options: string): Promise<void> {
  const result: number = await promisify(mount.async)(device, path, type, FILES_ONLY, options);
  if (result !== 0) throw new Error(`${device} can't be mounted.`);
}

/** Bind mounts a file or folder, visible only to this process and its children. */
export function bindMount(path: string, target: string): void {
  check("mount", mount(path, target, null, MS_BIND | MS_REC, null));
}

/** Makes a mount read-only and non-executable. */
export function remountData(path: string): void {
  check("mount", mount(null, path, null, MS_REMOUNT | MS_BIND | MS_RDONLY | FILES_ONLY, null));
}

/** Reserves disk space for a file. @throws {Error} With the code `ENOSPC` if the disk is full. */
export function allocate(fd: number, bytes: number): void {
  check("fallocate", fallocate(fd, 0, 0, bytes));
}

/** Sends a request to a device: ioctl(2). */
export function control(fd: number, request: number, argument: Buffer | null): number {
  return check("ioctl", ioctl(fd, request, argument));
}

/** Changes an in-memory file system's options. @throws {Error} If its content exceeds the new size. */
export function remountMemory(path: string, options: string): void {
  check("mount", mount("none", path, "tmpfs", MS_REMOUNT | FILES_ONLY, options));
}

/**
 * Unmounts a path, which takes milliseconds, in a thread. Open files remain usable. @returns Whether it was mounted.
 */
export async function unmount(path: string): Promise<boolean> {
  return (await promisify(umount2.async)(path, MNT_DETACH)) === 0;
}

/** Prevents child processes from inheriting descriptors. @param first The lowest descriptor. */
export function closeOnExec(first: number): void {
  check("close_range", Number(syscall(CLOSE_RANGE, first, 0xffff_ffff, CLOSE_RANGE_CLOEXEC, 0)));
}

/** Opens a process. The descriptor never refers to a later process with the same PID. */
export function openProcess(pid: number): number {
  return check("pidfd_open", Number(syscall(PIDFD_OPEN, pid, 0, 0, 0)));
}

/** Kills a process unless it has ended. @param descriptor From `openProcess`. */
export function killProcess(descriptor: number): void {
  check("pidfd_send_signal", Number(syscall(PIDFD_SEND_SIGNAL, descriptor, SIGKILL, 0, 0)), ["ESRCH"]);
}

/** Reaps an orphan that has ended. @returns Whether the process is no longer in the process table. */
export function reap(pid: number): boolean {
  return waitpid(pid, null, WNOHANG) !== 0;
}

function newSocketIn(network: number): number {
  return inNetwork(network, () => check("socket", socket(AF_INET, STREAM, 0)));
}

/** Runs a synchronous step while the only JavaScript thread is in another network namespace. */
function inNetwork<Result>(network: number, step: () => Result): Result {
  check("setns", setns(network, CLONE_NEWNET));
  try {
    return step();
  } finally {
    // If the call failed, all later code would run in a tenant's network.
    if (setns(ownNetwork, CLONE_NEWNET) !== 0) abort();
  }
}

function closeOnFailure(fd: number, prepare: () => unknown): number {
  try {
    prepare();
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function check(name: string, result: number, allowed: readonly string[] = []): number {
  if (result >= 0) return result;
  const error = toError(name, koffi.errno());
  if (allowed.includes(error.code)) return result;
  throw error;
}

function toError(name: string, errno: number): Error & { readonly code: string } {
  const code = getSystemErrorName(-errno);
  return Object.assign(new Error(`${name}: ${code}`), { code });
}

function toLoopback(port: number): Buffer {
  const address = Buffer.alloc(16);
  address.writeUInt16LE(AF_INET);
  address.writeUInt16BE(port, 2);
  address.set([127, 0, 0, 1], 4);
  return address;
}

function toUnix(path: string): Buffer {
  const address = Buffer.alloc(2 + UNIX_PATH);
  address.writeUInt16LE(AF_UNIX);
  address.write(path, 2, UNIX_PATH - 1);
  return address;
}

function toInt(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}
