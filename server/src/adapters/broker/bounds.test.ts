import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { SHELLS } from "../../../test/support/browsers/browser-rig.ts";
import { type TestSandboxes, newSandboxes, openWorkFolder } from "../../../test/support/browsers/real-host.ts";
import { expectNothingLeft } from "../../../test/support/browsers/traces.ts";
import { until } from "../../../test/support/until.ts";
import type { Sandbox, SandboxProcess } from "../../ports/sandboxes.ts";
import { MAX_TASKS } from "../../broker/bounds.ts";
import { CONDITIONAL } from "../../broker/kernel/system-calls.ts";
import { GROUP_FILES } from "../../broker/limits/control-groups.ts";
import { findParents } from "./group-tree.ts";
import { HAS_VARIANTS, variant } from "../../../test/support/variants.ts";

const MIB = 2 ** 20;
const MEMORY = 256 * MIB;

/** The control-group folders in which the tests create trees. */
const { version, parents } = await findParents();
const [, , CPU_FOLDER = ""] = parents;

const WEIGHT_FILE = GROUP_FILES[version].weight;
/** The default weight of the server's group, by cgroup version. */
const USUAL_WEIGHTS = { 1: 1024, 2: 100 };

const [MEMFD_CREATE, MMAP] = [CONDITIONAL.memfd_create, CONDITIONAL.mmap].map((call) => call[process.arch as "x64"]);
/** Protection and flags of mappings: sys/mman.h. Shared mappings are allocated immediately. */
const [READ, READ_WRITE, PRIVATE, SHARED] = [1, 3, 0x4022, 0x8001];
const ANONYMOUS = 0x20;
/** Size of a page table for 2 MiB of memory. */
const PAGE = 4096;
/** Twice the sandbox's limit. */
const TAKEN = 2 * MEMORY;
const REFUSED = 'do { print "refused"; sleep(100) }';

/** Perl scripts that allocate memory owned by no process. */
const SHARED_MEMORY: readonly (readonly [string, string])[] = [
  [
    "an in-memory file",
    `my $name = "x"; my $memory = syscall(${MEMFD_CREATE}, $name, 0); $memory >= 0 or ${REFUSED};
     open(my $file, ">&=", $memory);
     for (1 .. ${TAKEN / MIB}) { print $file "x" x ${MIB} }`,
  ],
  [
    "a System V segment",
    `my $id = shmget(0, ${TAKEN}, 01600); defined($id) or ${REFUSED};
     for (0 .. ${TAKEN / MIB - 1}) { shmwrite($id, "x" x ${MIB}, $_ * ${MIB}, ${MIB}) }`,
  ],
  [
    "a shared mapping",
    `syscall(${MMAP}, 0, ${TAKEN}, ${READ_WRITE}, ${SHARED | ANONYMOUS}, -1, 0) != -1 or ${REFUSED};`,
  ],
  [
    "a shared mapping of /dev/zero",
    `open(my $zeros, "+<", "/dev/zero") or ${REFUSED};
     syscall(${MMAP}, 0, ${TAKEN}, ${READ_WRITE}, ${SHARED}, fileno($zeros), 0) != -1 or ${REFUSED};`,
  ],
];

/** Writes to connections until the kernel's buffers are full. */
const CONNECTIONS = 100;
const FILL_CONNECTIONS = `use IO::Socket::INET; $| = 1;
  my $listener = IO::Socket::INET->new(LocalAddr => "127.0.0.1", Listen => ${CONNECTIONS}) or die($@);
  my ($filled, @kept) = (0);
  for (1 .. ${CONNECTIONS}) {
    my $writer = IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => $listener->sockport) or die($@);
    push(@kept, $writer, $listener->accept);
    $writer->blocking(0);
    while (my $written = syswrite($writer, "x" x ${MIB})) { $filled += $written }
  }
  print "filled $filled."; sleep(100)`;

let sandboxes: TestSandboxes;

/** @param tasks How many processes and threads the machine allows; undefined: the actual number. */
async function openSandboxes(hasGroups: boolean, tasks?: number): Promise<void> {
  using folder = openWorkFolder();
  sandboxes = await newSandboxes("sandbox", folder.path, SHELLS, {
    memoryBytes: MEMORY,
    diskBytes: 64 * MIB,
    hasGroups,
    ...(tasks === undefined ? {} : { tasks }),
  });
}

afterEach(() => expectNothingLeft(sandboxes.traces));

async function closeSandboxes(): Promise<void> {
  await sandboxes[Symbol.asyncDispose]();
  const left = [...new Set(parents)].flatMap(listTrees);
  if (left.length > 0) throw new Error(`Leftover control groups: ${left.join(", ")}`);
}

/** Lists this process's trees (at most one). */
function listTrees(parent: string): string[] {
  return readdirSync(parent).filter((name) => name.startsWith(`rbs-${process.pid}-`));
}

function readGroup(parent: string, id: string, file: string): string {
  return readFileSync(join(parent, listTrees(parent)[0] ?? "", id, file), "latin1").trim();
}

function start(sandbox: Sandbox, script: string): Promise<SandboxProcess> {
  return sandbox.run({ name: "sh", arguments: [script], environment: { PATH: "/usr/bin:/bin" } });
}

async function expectServed(sandbox: Sandbox): Promise<void> {
  await using process = await start(sandbox, "echo served; sleep 100");
  await process.whenReady(process.output.find(/served/), 30_000, new AbortController().signal);
}

describe("control groups", () => {
  beforeAll(() => openSandboxes(true));

  afterAll(closeSandboxes);

  test("all processes of a sandbox are in its groups", async () => {
    await using sandbox = await sandboxes.create("all");
    await using program = await start(sandbox, "sleep 100 & sleep 100 & echo up; wait");
    await program.output.find(/up/);
    const seen = sandboxes.traces.processes("all").filter(({ line }) => !line.startsWith("bwrap "));
    for (const parent of parents) {
      const held = readGroup(parent, "all", "cgroup.procs").split("\n").map(Number);
      for (const { pid } of seen) expect(held).toContain(pid);
    }
  });

  test("the server has priority, and accounts share the remaining processor time evenly", async () => {
    await using first = await sandboxes.create("a1");
    await using second = await sandboxes.create("a2");
    await using only = await sandboxes.create("b1");
    first.assign("a");
    second.assign("a");
    only.assign("b");
    const read = (): number[] => ["a1", "a2", "b1"].map((id) => Number(readGroup(CPU_FOLDER, id, WEIGHT_FILE)));
    await until(read, (weights) => weights.join() === "5000,5000,10000");
    expect(Number(readGroup(CPU_FOLDER, "", WEIGHT_FILE))).toBeLessThan(USUAL_WEIGHTS[version]);
  });
});

/** Programs that need more memory than their sandbox may use. */
const HUNGRY: readonly (readonly [string, string])[] = [
  ["fills its memory", `perl -e 'my @all; push @all, "x" x ${MIB} while 1'`],
  // With page tables alone, the kernel would keep evicting the program's code pages instead of killing it.
  [
    "fills its page tables",
    `perl -e 'my $at = syscall(${MMAP}, 0, ${2 ** 40}, ${READ}, ${PRIVATE}, -1, 0);
     for (1 .. ${(0.75 * MEMORY) / PAGE}) { unpack("P1", pack("Q", $at + $_ * ${2 * MIB})) }
     my @all; push @all, "x" x ${MIB} for 1 .. ${(0.5 * MEMORY) / MIB}; sleep 100'`,
  ],
  ["fills its files", "yes > /dev/shm/x; yes > /home/browser/x"],
];

/** Starts processes forever. In the quick test, only the first process does, because thousands of them are slow. */
const FORK = HAS_VARIANTS
  ? `while (1) { defined(fork()) or print "refused\\n" }`
  : `while (1) { my $child = fork() // do { print "refused\\n"; next }; $child or sleep(1000) }`;

const GROUPS: [string, boolean][] = [["with control groups", true]];
if (HAS_VARIANTS) GROUPS.push(["without control groups", false]);

describe.each(GROUPS)("%s, a program that", (_name, hasGroups) => {
  beforeAll(() => openSandboxes(hasGroups));

  afterAll(closeSandboxes);

  test.each(HAS_VARIANTS ? HUNGRY : HUNGRY.slice(0, 1))(
    "%s with more memory than its sandbox may use ends, with all others in it",
    async (_, script) => {
      await using hungry = await sandboxes.create("hungry");
      await using neighbour = await sandboxes.create("neighbour");
      await using bystander = await start(hungry, "exec sleep 100");
      await using program = await start(hungry, `${script}; exec sleep 100`);
      await Promise.all([program.ended, bystander.ended]);
      expect(hungry.isOverLimit).toBe(true);
      expect(neighbour.isOverLimit).toBe(false);
      await expectServed(neighbour);
    },
  );

  test("leaves TCP connections unread fills only small buffers", async () => {
    await using sandbox = await sandboxes.create("unread");
    await using program = await start(sandbox, `perl -e '${FILL_CONNECTIONS}'`);
    const [, bytes = ""] = await program.output.find(/filled (\d+)\./);
    expect(Number(bytes)).toBeGreaterThan(0);
    expect(Number(bytes)).toBeLessThan(hasGroups && version === 1 ? MEMORY / 8 : CONNECTIONS * MIB);
  });

  test("starts processes forever can't exceed its sandbox's process limit", async () => {
    await using greedy = await sandboxes.create("greedy");
    // Allow enough memory for the maximum number of processes.
    await greedy.limitMemory(2048 * MIB);
    await using neighbour = await sandboxes.create("neighbour");
    await using program = await start(greedy, `perl -e '${FORK}'`);
    await program.output.find(/refused/);
    expect(sandboxes.traces.processes("greedy").length).toBeLessThan(MAX_TASKS + 10);
    await expectServed(neighbour);
  });

  test("stores files can't fill the memory of its sandbox", async () => {
    await using sandbox = await sandboxes.create("full");
    await sandbox.limitMemory(MEMORY / 2);
    await using program = await start(sandbox, "yes > /home/browser/x; stat -c %s /home/browser/x");
    await program.output.find(new RegExp(`^${MEMORY / 8}\n`));
    expect(sandbox.isOverLimit).toBe(false);
  });

  test("creates 100,000 files and deeply nested folders leaves nothing behind", async () => {
    await using sandbox = await sandboxes.create("littered");
    const makeFiles = "for (1 .. 100000) { open(my $file, q(>), $_) or print qq(refused at $_\n) and last }";
    const folders = "while (1) { mkdir(q(d) x 255) and chdir(q(d) x 255) or last }";
    await using program = await start(sandbox, `cd /tmp && perl -e '${folders} chdir("/home/browser"); ${makeFiles}'`);
    const [, files = ""] = await program.output.find(/refused at (\d+)/);
    expect(Number(files)).toBeLessThan(2 ** 16);
  });

  test("stays below its sandbox's own memory limit keeps running", async () => {
    await using sandbox = await sandboxes.create("larger");
    await sandbox.limitMemory(2 * MEMORY);
    const fill = `for (1 .. ${(1.5 * MEMORY) / MIB}) { push @all, "x" x ${MIB} }`;
    await using program = await start(sandbox, `perl -e 'my @all; ${fill} print "filled"'`);
    await program.output.find(/filled/);
    expect(sandbox.isOverLimit).toBe(false);
  });
});

test.each(GROUPS)(
  "%s, the largest sandboxes end if all sandboxes together have too many processes",
  async (_, hasGroups) => {
    await openSandboxes(hasGroups, 500);
    onTestFinished(closeSandboxes);
    await using neighbour = await sandboxes.create("neighbour");
    await using bystander = await start(neighbour, "for each in 1 2 3 4 5 6 7 8 9; do sleep 100 & done; wait");
    const greedy = await Promise.all(["greedy1", "greedy2"].map((id) => sandboxes.create(id)));
    for (const each of greedy) await each.limitMemory(2048 * MIB);
    const programs = await Promise.all(
      greedy.map((each) => start(each, "perl -e 'while (1) { my $child = fork() // next; $child or sleep(100) }'")),
    );
    // While the second sandbox has too many processes, no sandbox can start a process until the broker's next check.
    await Promise.all(programs.map((each) => each.ended));
    await expectServed(neighbour);
    expect(greedy.map((each) => each.isOverLimit)).toEqual([true, true]);
    for (const each of greedy) await each[Symbol.asyncDispose]();
    expect(neighbour.isOverLimit).toBe(false);
    await bystander[Symbol.asyncDispose]();
  },
);

variant.each(SHARED_MEMORY)(
  "without control groups, a program can't allocate memory that isn't charged to a process: %s",
  async (_, take) => {
    await openSandboxes(false);
    onTestFinished(closeSandboxes);
    await using hungry = await sandboxes.create("hungry");
    await using program = await start(hungry, `perl -e '$| = 1; ${take} print "held"; sleep 100'`);
    await program.output.find(/refused|held/);
    expect(program.output.tail).toBe("refused");
  },
);
