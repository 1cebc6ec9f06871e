import { constants } from "node:os";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type SandboxRig, openSandboxRig } from "../../../test/support/browsers/browser-rig.ts";
import { CONDITIONAL, NEWEST, REFUSED, type SystemCall } from "./system-calls.ts";
import { type Architecture, toFilter } from "./system-call-filter.ts";

type Asked = { readonly call: SystemCall; readonly given: readonly number[]; readonly answer: string };

/**
 * Expected results of calls, by the arguments that the filter reads. An allowed call may still fail with another error.
 */
const CONDITIONS: readonly Asked[] = [
  // Unix, TCP and UDP.
  { call: CONDITIONAL.socket, given: [1, 1, 0], answer: "allowed" },
  { call: CONDITIONAL.socket, given: [2, 1, 0], answer: "allowed" },
  { call: CONDITIONAL.socket, given: [10, 2 | 0o2_000_000, 17], answer: "allowed" },
  // Raw, SCTP, netlink (routes, netfilter), packet, kernel cipher, hypervisor and TIPC sockets.
  { call: CONDITIONAL.socket, given: [2, 3, 0], answer: "EPROTONOSUPPORT" },
  { call: CONDITIONAL.socket, given: [2, 1, 132], answer: "EPROTONOSUPPORT" },
  { call: CONDITIONAL.socket, given: [16, 3, 0], answer: "EAFNOSUPPORT" },
  { call: CONDITIONAL.socket, given: [16, 3, 12], answer: "EAFNOSUPPORT" },
  { call: CONDITIONAL.socket, given: [17, 3, 0], answer: "EAFNOSUPPORT" },
  { call: CONDITIONAL.socket, given: [38, 5, 0], answer: "EAFNOSUPPORT" },
  { call: CONDITIONAL.socket, given: [40, 1, 0], answer: "EAFNOSUPPORT" },
  { call: CONDITIONAL.socketpair, given: [30, 1, 0, 0], answer: "EAFNOSUPPORT" },
  // Netfilter options, which are refused, and other options, which are allowed.
  { call: CONDITIONAL.setsockopt, given: [999, 0, 64, 0, 0], answer: "EPERM" },
  { call: CONDITIONAL.setsockopt, given: [999, 41, 127, 0, 0], answer: "EPERM" },
  { call: CONDITIONAL.getsockopt, given: [999, 0, 64, 0, 0], answer: "EPERM" },
  { call: CONDITIONAL.setsockopt, given: [999, 0, 128, 0, 0], answer: "allowed" },
  { call: CONDITIONAL.setsockopt, given: [999, 1, 64, 0, 0], answer: "allowed" },
  // Options for IPsec, connection state, kernel TLS and packet filters, and adjacent options that are allowed.
  { call: CONDITIONAL.setsockopt, given: [999, 0, 17, 0, 0], answer: "EPERM" },
  { call: CONDITIONAL.setsockopt, given: [999, 41, 35, 0, 0], answer: "EPERM" },
  { call: CONDITIONAL.setsockopt, given: [999, 17, 100, 0, 0], answer: "EPERM" },
  { call: CONDITIONAL.setsockopt, given: [999, 6, 19, 0, 0], answer: "EPERM" },
  { call: CONDITIONAL.setsockopt, given: [999, 6, 31, 0, 0], answer: "EPERM" },
  { call: CONDITIONAL.setsockopt, given: [999, 1, 26, 0, 0], answer: "EPERM" },
  { call: CONDITIONAL.setsockopt, given: [999, 1, 50, 0, 0], answer: "EPERM" },
  { call: CONDITIONAL.setsockopt, given: [999, 0, 18, 0, 0], answer: "allowed" },
  { call: CONDITIONAL.setsockopt, given: [999, 6, 1, 0, 0], answer: "allowed" },
  { call: CONDITIONAL.setsockopt, given: [999, 1, 49, 0, 0], answer: "allowed" },
  // Requests that create a bridge, bring up or control an interface, type into a terminal or change its protocol; and
  // adjacent requests that are allowed.
  { call: CONDITIONAL.ioctl, given: [999, 0x89a0, 0], answer: "EPERM" },
  { call: CONDITIONAL.ioctl, given: [999, 0x8914, 0], answer: "EPERM" },
  { call: CONDITIONAL.ioctl, given: [999, 0x8946, 0], answer: "EPERM" },
  { call: CONDITIONAL.ioctl, given: [999, 0x5412, 0], answer: "EPERM" },
  { call: CONDITIONAL.ioctl, given: [999, 0x5423, 0], answer: "EPERM" },
  { call: CONDITIONAL.ioctl, given: [999, 0x5413, 0], answer: "allowed" },
  { call: CONDITIONAL.ioctl, given: [999, 0x541b, 0], answer: "allowed" },
  // Mount, time and IPC namespaces.
  { call: CONDITIONAL.unshare, given: [0x2_0000], answer: "EPERM" },
  { call: CONDITIONAL.unshare, given: [0x80], answer: "EPERM" },
  { call: CONDITIONAL.clone, given: [0x800_0000], answer: "EPERM" },
  { call: CONDITIONAL.clone3, given: [0, 0], answer: "ENOSYS" },
  { call: { x64: NEWEST + 1, arm64: NEWEST + 1 }, given: [], answer: "ENOSYS" },
  // An x32 call on x64.
  { call: { x64: 0x4000_0000 + 101, arm64: 0x4000_0000 + 101 }, given: [], answer: "ENOSYS" },
];

const EVERY_CALL: readonly Asked[] = [
  ...Object.values(REFUSED).map((call) => ({ call, given: [], answer: "EPERM" })),
  ...CONDITIONS,
];

/** Namespace types: sched.h. */
const [USERS, PROCESSES, NETWORK] = [0x1000_0000, 0x2000_0000, 0x4000_0000];

let rig: SandboxRig;

beforeAll(async () => {
  rig = await openSandboxRig("sandbox");
});

afterAll(async () => {
  await rig.sandbox[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

/** Makes the calls in a sandbox. @param prefix The command that starts the calling program. */
async function makeCalls(asked: readonly Asked[], prefix: string, isBrowser: boolean): Promise<string[]> {
  const toCall = ({ call, given }: Asked): string =>
    `$! = 0; syscall(${[call[ARCHITECTURE], ...given].join(", ")}); print $! + 0, "\\n";`;
  await using program = await rig.start(`${prefix} perl -e '${asked.map(toCall).join(" ")} print "done";'`, isBrowser);
  await program.output.find(/done/);
  return program.output.tail.split("\n").slice(0, -1).map(Number).map(toAnswer);
}

function toAnswer(errno: number): string {
  const names = ["EPERM", "ENOSYS", "EAFNOSUPPORT", "EPROTONOSUPPORT"] as const;
  return names.find((name) => constants.errno[name] === errno) ?? "allowed";
}

/** Formats a call as a line in a report. */
function describe({ call, given }: Asked, architecture: Architecture, answer: string): string {
  const [name] = Object.entries({ ...REFUSED, ...CONDITIONAL }).find(([, each]) => each === call) ?? ["number"];
  return `${name} ${call[architecture]} (${given.join(", ")}): ${answer}`;
}

const ARCHITECTURE = process.arch as Architecture;
const HERE = EVERY_CALL.filter(({ call }) => call[ARCHITECTURE] !== undefined);
const EXPECTED = HERE.map((one) => describe(one, ARCHITECTURE, one.answer));

test.each([
  { where: "the browser's place", prefix: "", isBrowser: true },
  // The program has all privileges in its own namespaces.
  {
    where: "namespaces that the program created",
    prefix: "unshare --user --map-root-user --net --pid --fork",
    isBrowser: true,
  },
  { where: "a screen's place", prefix: "", isBrowser: false },
])("in $where, system calls from native code return the expected results", async ({ prefix, isBrowser }) => {
  const answers = await makeCalls(HERE, prefix, isBrowser);
  expect(HERE.map((one, at) => describe(one, ARCHITECTURE, answers[at] ?? "not made"))).toEqual(EXPECTED);
});

test("only browsers can create user namespaces", async () => {
  expect(await rig.run("unshare --user true 2>&1")).toContain("Operation not permitted");
  const asked = [{ call: CONDITIONAL.clone, given: [USERS | PROCESSES | NETWORK], answer: "EPERM" }];
  expect(await makeCalls(asked, "", false)).toEqual(["EPERM"]);
});

test("a program can't change kernel settings, even in namespaces that it has created", async () => {
  const write = "echo 1 > /proc/sys/net/ipv4/ip_forward || echo refused";
  await using program = await rig.start(`unshare --user --map-root-user --net sh -c '${write}'`, true);
  await program.ended;
  expect(program.output.tail).toBe("refused\n");
});

test("a browser's programs can't create more namespaces than Chromium needs", async () => {
  const { unshare } = CONDITIONAL;
  const makeNetworks = `syscall(${unshare[ARCHITECTURE]}, ${NETWORK}) == 0 or last; open($held[$_], "<", "/proc/self/ns/net")`;
  await using networks = await rig.start(
    `exec unshare --user --map-root-user perl -e 'for (1 .. 20) { ${makeNetworks} } print "made $#held."'`,
    true,
  );
  await networks.output.find(/made [0-3]\./);
  // Each call runs in its own process, because namespaces can only be nested to a depth of 32.
  const makeUsers = `print syscall(${unshare[ARCHITECTURE]}, ${USERS}) == 0 ? "made " : "refused "; sleep 1000`;
  await using users = await rig.start(
    `exec perl -e '$| = 1; for (1 .. 20) { fork() or do { ${makeUsers} } } wait'`,
    true,
  );
  const [all] = await users.output.find(/(?:(?:made|refused) ){20}/);
  expect(all.match(/made/g)?.length).toBeLessThan(9);
});

test.each<Architecture>(["x64", "arm64"])("the filter for %s returns the expected results", (architecture) => {
  const all = EVERY_CALL.filter(({ call }) => call[architecture] !== undefined);
  const filter = toFilter({ namespaces: true, sharedMemory: true }, architecture);
  const answers = all.map((one) => describe(one, architecture, runFilter(filter, one, architecture)));
  expect(answers).toEqual(all.map((one) => describe(one, architecture, one.answer)));
  const foreign = architecture === "x64" ? "arm64" : "x64";
  expect(runFilter(filter, { call: { [architecture]: 0 }, given: [] }, architecture, foreign)).toBe("killed");
});

test.each<Architecture>(["x64", "arm64"])(
  "without shared memory, the filter for %s returns the expected results",
  (architecture) => {
    const { memfd_create, mmap } = CONDITIONAL;
    const asked: readonly Asked[] = [
      { call: memfd_create, given: [0, 0], answer: "EPERM" },
      // First shared mappings without a file, then a private mapping and a shared mapping of a file.
      { call: mmap, given: [0, 4096, 3, 0x21, -1, 0], answer: "EPERM" },
      { call: mmap, given: [0, 4096, 3, 0x8023, -1, 0], answer: "EPERM" },
      { call: mmap, given: [0, 4096, 3, 0x22, -1, 0], answer: "allowed" },
      { call: mmap, given: [0, 4096, 3, 0x01, 3, 0], answer: "allowed" },
      { call: CONDITIONAL.socket, given: [1, 1, 0], answer: "allowed" },
    ];
    const filter = toFilter({ namespaces: true, sharedMemory: false }, architecture);
    expect(asked.map((one) => runFilter(filter, one, architecture))).toEqual(asked.map(({ answer }) => answer));
  },
);

/** Runs a filter as the kernel does: seccomp(2), linux/filter.h. */
function runFilter(
  filter: Buffer,
  { call, given }: Omit<Asked, "answer">,
  numbered: Architecture,
  calledAs = numbered,
): string {
  const seen = Buffer.alloc(64);
  seen.writeUInt32LE(call[numbered] ?? 0);
  seen.writeUInt32LE(calledAs === "x64" ? 0xc000_003e : 0xc000_00b7, 4);
  given.forEach((value, at) => seen.writeUInt32LE(value >>> 0, 16 + 8 * at));
  let loaded = 0;
  for (let at = 0; ; at += 8) {
    const [operation, value] = [filter.readUInt16LE(at), filter.readUInt32LE(at + 4)];
    const skip = (isTrue: boolean): number => 8 * filter.readUInt8(at + (isTrue ? 2 : 3));
    if (operation === 0x20) loaded = seen.readUInt32LE(value);
    else if (operation === 0x54) loaded = (loaded & value) >>> 0;
    else if (operation === 0x15) at += skip(loaded === value);
    else if (operation === 0x25) at += skip(loaded > value);
    else if (operation === 0x35) at += skip(loaded >= value);
    else if (operation === 0x45) at += skip((loaded & value) !== 0);
    else if (operation === 0x06) return value === 0x8000_0000 ? "killed" : toAnswer(value & 0xffff);
    else throw new Error(`The filter has an unknown operation: ${operation}.`);
  }
}
