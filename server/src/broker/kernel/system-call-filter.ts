import { constants } from "node:os";
import { arch } from "node:process";
import { CONDITIONAL, NEWEST, REFUSED } from "./system-calls.ts";

export type Architecture = "x64" | "arm64";

/** What the kernel calls the architectures: linux/audit.h. */
const AUDIT: Readonly<Record<Architecture, number>> = { x64: 0xc000_003e, arm64: 0xc000_00b7 };

/** Offsets in what a filter sees of a call: seccomp(2). Only the lower halves of arguments matter here. */
const [NUMBER, ARCHITECTURE, FIRST_ARGUMENT, ARGUMENT_SIZE] = [0, 4, 16, 8];

/** Operations of a filter: linux/filter.h, linux/bpf_common.h. */
const [LOAD, RETURN, AND] = [0x20, 0x06, 0x54];
const [IF_EQUAL, IF_GREATER, IF_AT_LEAST, IF_ANY_BIT] = [0x15, 0x25, 0x35, 0x45];

/** What a filter returns: seccomp(2). */
const [ALLOW, KILL, ERROR] = [0x7fff_0000, 0x8000_0000, 0x0005_0000];

const { EPERM, ENOSYS, EAFNOSUPPORT, EPROTONOSUPPORT } = constants.errno;

/** Kinds of namespaces: sched.h. `NEW_TIME` has another meaning for `clone`. */
const [NEW_MOUNTS, NEW_CGROUPS, NEW_NAMES, NEW_IPC] = [0x2_0000, 0x200_0000, 0x400_0000, 0x800_0000];
const [NEW_USERS, NEW_PROCESSES, NEW_NETWORK, NEW_TIME] = [0x1000_0000, 0x2000_0000, 0x4000_0000, 0x80];

/** Sockets: sys/socket.h, netinet/in.h. */
const [UNIX, INET, INET6] = [1, 2, 10];
const [STREAM, DATAGRAM, TYPE_MASK] = [1, 2, 0xf];
const [ANY_PROTOCOL, TCP, UDP] = [0, 6, 17];

/** Numbers that belong together. */
type Range = { readonly first: number; readonly last: number };

/**
 * Options of sockets, by level, that reach parts of the kernel that browsers have no use for, some of them with rights
 * in a namespace of the program's own: linux/in.h, linux/in6.h, asm-generic/socket.h, linux/tcp.h, linux/udp.h.
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
  // The state of a connection, and protocols above it that the kernel speaks, such as TLS.
  { level: TCP, first: 19, last: 19 },
  { level: TCP, first: 31, last: 31 },
  // Programs that the kernel runs for each packet.
  { level: SOL_SOCKET, first: 26, last: 26 },
  { level: SOL_SOCKET, first: 50, last: 52 },
];

/** Requests of ioctl(2): asm-generic/ioctls.h, linux/sockios.h, linux/wireless.h. */
const REFUSED_REQUESTS: readonly Range[] = [
  // Type into a terminal, and change the protocol of its line.
  { first: 0x5412, last: 0x5412 },
  { first: 0x5423, last: 0x5423 },
  // Interfaces, bridges, addresses and routes.
  { first: 0x8900, last: 0x8bff },
];

/** A shared mapping without a file: sys/mman.h. `MAP_SHARED_VALIDATE` also has this bit of `MAP_SHARED`. */
const SHARED_ANONYMOUS = 0x01 | 0x20;

/** What a filter allows to some programs only. */
type Allowed = { readonly namespaces: boolean; readonly sharedMemory: boolean };

/** One instruction. `yes` and `no` are how many to skip. */
type Instruction = { readonly operation: number; readonly value: number; readonly yes?: number; readonly no?: number };

/**
 * A seccomp filter for the programs of a sandbox, in the form that the kernel reads. It ends a program that makes calls
 * of another architecture, and answers calls that it refuses with an error.
 * @param allowed.namespaces Whether the programs may make namespaces of users, processes and networks, as
 *   Chromium's own sandbox does.
 * @param allowed.sharedMemory Whether they may have shared memory without a file. Chromium then uses files in
 *   `/dev/shm`.
 * @throws {Error} On an architecture without a filter.
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
    // The x32 calls of x64 have numbers above all others.
    ...when(IF_GREATER, NEWEST, [fail(ENOSYS)]),
    // The C library then uses clone.
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

/** Never falls through: it loads something else than the number of the call. */
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
    // Netlink, among others: with rights in a namespace of its own, a program would make interfaces, bridges and
    // queues.
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

/** Skips the instructions unless what was loaded compares to a value. */
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

/** As `struct sock_filter`. */
function encode({ operation, value, yes = 0, no = 0 }: Instruction): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(operation);
  bytes.writeUInt8(yes, 2);
  bytes.writeUInt8(no, 3);
  bytes.writeUInt32LE(value >>> 0, 4);
  return bytes;
}
