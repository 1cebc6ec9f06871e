import { constants } from "node:os";
import { arch } from "node:process";
import { CONDITIONAL, NEWEST, REFUSED } from "./system-calls.ts";

export type Architecture = "x64" | "arm64";

/** The kernel's names for architectures: linux/audit.h. */
const AUDIT: Readonly<Record<Architecture, number>> = { x64: 0xc000_003e, arm64: 0xc000_00b7 };

/** Offsets in a filter's input: seccomp(2). Only the lower halves of arguments are checked. */
const [NUMBER, ARCHITECTURE, FIRST_ARGUMENT, ARGUMENT_SIZE] = [0, 4, 16, 8];

/** Operations of a filter: linux/filter.h, linux/bpf_common.h. */
const [LOAD, RETURN, AND] = [0x20, 0x06, 0x54];
const [IF_EQUAL, IF_GREATER, IF_AT_LEAST, IF_ANY_BIT] = [0x15, 0x25, 0x35, 0x45];

/** The filter's return values; see seccomp(2). */
const [ALLOW, KILL, ERROR] = [0x7fff_0000, 0x8000_0000, 0x0005_0000];

const { EPERM, ENOSYS, EAFNOSUPPORT, EPROTONOSUPPORT } = constants.errno;

/** Namespace flags: sched.h. For `clone`, the bit `NEW_TIME` has another meaning. */
const [NEW_MOUNTS, NEW_CGROUPS, NEW_NAMES, NEW_IPC] = [0x2_0000, 0x200_0000, 0x400_0000, 0x800_0000];
const [NEW_USERS, NEW_PROCESSES, NEW_NETWORK, NEW_TIME] = [0x1000_0000, 0x2000_0000, 0x4000_0000, 0x80];

/** Sockets: sys/socket.h, netinet/in.h. */
const [UNIX, INET, INET6] = [1, 2, 10];
const [STREAM, DATAGRAM, TYPE_MASK] = [1, 2, 0xf];
const [ANY_PROTOCOL, TCP, UDP] = [0, 6, 17];

type Range = { readonly first: number; readonly last: number };

/**
 * Socket options, by level, that browsers don't need. Some require privileges, which programs have in their own
 * namespaces. See linux/in.h, linux/in6.h, asm-generic/socket.h, linux/tcp.h, linux/udp.h.
 */
const [SOL_IP, SOL_SOCKET, SOL_IPV6] = [0, 1, 41];
const REFUSED_OPTIONS: readonly (Range & { readonly level: number })[] = [
  // Netfilter.
  { level: SOL_IP, first: 64, last: 127 },
  { level: SOL_IPV6, first: 64, last: 127 },
  // IPsec.
  { level: SOL_IP, first: 16, last: 17 },
  { level: SOL_IPV6, first: 34, last: 35 },
  { level: UDP, first: 100, last: 100 },
  // TCP connection state, and protocols that the kernel implements, such as TLS.
  { level: TCP, first: 19, last: 19 },
  { level: TCP, first: 31, last: 31 },
  // Packet filters.
  { level: SOL_SOCKET, first: 26, last: 26 },
  { level: SOL_SOCKET, first: 50, last: 52 },
];

/** Requests of ioctl(2): asm-generic/ioctls.h, linux/sockios.h, linux/wireless.h. */
const REFUSED_REQUESTS: readonly Range[] = [
  // Type into a terminal, and change its line discipline.
  { first: 0x5412, last: 0x5412 },
  { first: 0x5423, last: 0x5423 },
  // Interfaces, bridges, addresses and routes.
  { first: 0x8900, last: 0x8bff },
];

/** A shared mapping without a file: sys/mman.h. `MAP_SHARED_VALIDATE` includes the bit of `MAP_SHARED`. */
const SHARED_ANONYMOUS = 0x01 | 0x20;

/** Permissions that only some programs have. */
type Allowed = { readonly namespaces: boolean; readonly sharedMemory: boolean };

/** An instruction. `yes` and `no` are the numbers of instructions to skip. */
type Instruction = { readonly operation: number; readonly value: number; readonly yes?: number; readonly no?: number };

/**
 * Creates a seccomp filter for a sandbox's programs, in the kernel's format. The filter kills programs that make system
 * calls for another architecture, and makes refused calls fail with an error.
 * @param allowed.namespaces Allows user, process and network namespaces, which Chromium's own sandbox creates.
 * @param allowed.sharedMemory Allows shared memory without a file. Otherwise, Chromium uses files in `/dev/shm`.
 * @throws {Error} On an unsupported architecture.
 */
export function toFilter(allowed: Allowed, architecture = readArchitecture()): Buffer {
  const forbidden = NEW_MOUNTS | NEW_CGROUPS | NEW_NAMES | NEW_IPC;
  const namespaces = allowed.namespaces ? forbidden : forbidden | NEW_USERS | NEW_PROCESSES | NEW_NETWORK;
  const { clone, clone3, unshare, socket, socketpair, setsockopt, getsockopt, ioctl } = CONDITIONAL;
  const instructions = [
    load(ARCHITECTURE),
    { operation: IF_EQUAL, value: AUDIT[architecture], yes: 1 },
    answer(KILL),
    load(NUMBER),
    // Newer calls, and x32 calls on x64, which have higher numbers.
    ...when(IF_GREATER, NEWEST, [fail(ENOSYS)]),
    // With ENOSYS, the C library falls back to clone.
    ...when(IF_EQUAL, clone3[architecture], [fail(ENOSYS)]),
    ...Object.values(REFUSED).flatMap((call) => {
      const number = call[architecture];
      return number === undefined ? [] : when(IF_EQUAL, number, [fail(EPERM)]);
    }),
    ...when(IF_EQUAL, clone[architecture], refuseBits(namespaces)),
    ...when(IF_EQUAL, unshare[architecture], refuseBits(namespaces | NEW_TIME)),
    ...when(IF_EQUAL, socket[architecture], checkSocket()),
    ...when(IF_EQUAL, socketpair[architecture], [argument(0), ...when(IF_EQUAL, UNIX, [allow()]), fail(EAFNOSUPPORT)]),
    ...[setsockopt, getsockopt].flatMap((call) => when(IF_EQUAL, call[architecture], checkOption())),
    ...when(IF_EQUAL, ioctl[architecture], [argument(1), ...REFUSED_REQUESTS.flatMap(refuseRange), allow()]),
    ...(allowed.sharedMemory ? [] : refuseSharedMemory(architecture)),
    allow(),
  ];
  return Buffer.concat(instructions.map(encode));
}

function readArchitecture(): Architecture {
  if (arch === "x64" || arch === "arm64") return arch;
  throw new Error(`Sandboxes need a machine with x64 or arm64 processors, but this one has ${arch}.`);
}

/** Never falls through, because the call's number is no longer loaded. */
function checkSocket(): Instruction[] {
  const internet = [
    argument(2),
    ...[ANY_PROTOCOL, TCP, UDP].flatMap((protocol) =>
      when(IF_EQUAL, protocol, [
        argument(1),
        { operation: AND, value: TYPE_MASK },
        ...[STREAM, DATAGRAM].flatMap((type) => when(IF_EQUAL, type, [allow()])),
        fail(EPROTONOSUPPORT),
      ]),
    ),
    fail(EPROTONOSUPPORT),
  ];
  return [
    argument(0),
    ...when(IF_EQUAL, UNIX, [allow()]),
    ...[INET, INET6].flatMap((family) => when(IF_EQUAL, family, internet)),
    // Refuses socket families such as Netlink, which could create interfaces and bridges in the namespace.
    fail(EAFNOSUPPORT),
  ];
}

function checkOption(): Instruction[] {
  const refusals = REFUSED_OPTIONS.flatMap(({ level, ...range }) =>
    when(IF_EQUAL, level, [argument(2), ...refuseRange(range), argument(1)]),
  );
  return [argument(1), ...refusals, allow()];
}

function refuseRange({ first, last }: Range): Instruction[] {
  return [{ operation: IF_AT_LEAST, value: first, no: 2 }, { operation: IF_GREATER, value: last, yes: 1 }, fail(EPERM)];
}

function refuseSharedMemory(architecture: Architecture): Instruction[] {
  const { memfd_create, mmap } = CONDITIONAL;
  return [
    ...when(IF_EQUAL, memfd_create[architecture], [fail(EPERM)]),
    ...when(IF_EQUAL, mmap[architecture], [
      argument(3),
      { operation: AND, value: SHARED_ANONYMOUS },
      ...when(IF_EQUAL, SHARED_ANONYMOUS, [fail(EPERM)]),
      allow(),
    ]),
  ];
}

function refuseBits(bits: number): Instruction[] {
  return [argument(0), ...when(IF_ANY_BIT, bits, [fail(EPERM)]), allow()];
}

/** Runs the instructions only if the comparison with the loaded value succeeds. */
function when(operation: number, value: number, then: readonly Instruction[]): Instruction[] {
  return [{ operation, value, no: then.length }, ...then];
}

function argument(index: number): Instruction {
  return load(FIRST_ARGUMENT + ARGUMENT_SIZE * index);
}

function load(offset: number): Instruction {
  return { operation: LOAD, value: offset };
}

function allow(): Instruction {
  return answer(ALLOW);
}

function fail(errno: number): Instruction {
  return answer(ERROR | errno);
}

function answer(value: number): Instruction {
  return { operation: RETURN, value };
}

/** Encodes a `struct sock_filter`. */
function encode({ operation, value, yes = 0, no = 0 }: Instruction): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(operation);
  bytes.writeUInt8(yes, 2);
  bytes.writeUInt8(no, 3);
  bytes.writeUInt32LE(value >>> 0, 4);
  return bytes;
}
