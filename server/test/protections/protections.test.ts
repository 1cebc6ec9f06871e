import { spawnSync } from "node:child_process";
import { chownSync, existsSync, readFileSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openHome } from "../support/servers/home.ts";
import { type Process, WAITING_SHELL, commandLine, listProcesses, mounts } from "../support/machine/processes.ts";
import { type RealServer, startServer } from "../support/servers/real-server.ts";
import { REPOSITORY, type ScriptOptions } from "../support/machine/run-script.ts";
import { until } from "../support/until.ts";
import { HAS_VARIANTS } from "../support/variants.ts";

const IS_ROOT = process.getuid?.() === 0;
const ORDINARY_UID = 12_345;

/** The capabilities that root keeps in a container. */
const CONTAINER =
  "chown,dac_override,fowner,fsetid,kill,setgid,setuid,setpcap,net_bind_service,sys_chroot,mknod,audit_write,setfcap";

/** The setups from the columns of the table in SECURITY.md. */
const SETUPS: Readonly<Record<string, Partial<ScriptOptions>>> = {
  root: {},
  "another user": { user: ORDINARY_UID },
  "root in a container": { capabilities: CONTAINER.split(","), hasNoGroups: true },
  "with writable control groups": { capabilities: CONTAINER.split(",") },
  "a Kubernetes pod": { capabilities: CONTAINER.split(","), firstUser: 0x1000_0000 },
  "no isolation": { settings: { RBS_ISOLATION: "none" } },
};

/** The browsers start in prepared sandboxes. */
const SPARES = { RBS_SPARE_SANDBOXES: "2" };
/** Prepared sandboxes: two for the tests' browsers, and two for the kind that the server opened when it started. */
const WAITING = 2 + 2;

/** A running server with two browsers, and its main processes. */
type Found = {
  readonly server: number;
  readonly broker: Process | undefined;
  readonly browsers: readonly Process[];
  /** All processes in sandboxes. */
  readonly sandboxed: readonly Process[];
  readonly renderers: readonly Process[];
};

/** How to verify each row of the table in SECURITY.md. */
const PROBES: Readonly<Record<string, (found: Found) => boolean>> = {
  "The server has no root privileges": ({ server }) => {
    const threads = readdirSync(`/proc/${server}/task`).map((thread) => readStatus(`${server}/task/${thread}`));
    return threads.every((status) => !/^Uid:.*\b0\b/m.test(status) && /^CapPrm:\t0+$/m.test(status));
  },
  "The server can't control the broker": ({ server, broker }) => broker !== undefined && !canSignal(server, broker),
  "Programs that the server starts can't gain privileges": ({ server }) =>
    readStatus(String(server)).includes("NoNewPrivs:\t1"),
  "Each browser has its own files, processes and network": ({ server, browsers }) =>
    ["mnt", "pid", "net"].every((name) => {
      const all = [server, ...browsers.map(({ pid }) => pid)].map((pid) => readlinkSync(`/proc/${pid}/ns/${name}`));
      return new Set(all).size === all.length;
    }),
  "Each browser has its own user": ({ server, browsers }) => {
    const all = [server, ...browsers.map(({ pid }) => pid)].map((pid) => uidOf(pid));
    return new Set(all).size === all.length;
  },
  "A system call filter applies to all programs in a sandbox": ({ broker, sandboxed }) =>
    broker !== undefined && sandboxed.length > 0 && sandboxed.every((one) => countFilters(one) > 0),
  "Users' files can't be executed, and a browser sees only the programs in its own folder": ({ browsers }) =>
    browsers.every(
      (one) =>
        ["/home/browser", "/tmp", "/dev/shm"].every((path) =>
          mounts(one).includes(` ${path} rw,nosuid,nodev,noexec,`),
        ) && !existsSync(`/proc/${one.pid}/root/usr/bin`),
    ),
  "A browser's files and processes are limited": ({ browsers }) =>
    browsers.every(
      (one) =>
        /^(?=.* \/home\/browser ).* - tmpfs .*size=\d+k/m.test(mounts(one)) &&
        /^Max processes +2000 /m.test(readFileSync(`/proc/${one.pid}/limits`, "utf8")),
    ),
  "Control groups limit each browser's memory and share processor time among browsers": ({ browsers }) =>
    browsers.every(({ pid }) => {
      const groups = readFileSync(`/proc/${pid}/cgroup`, "utf8").split("\n");
      return ["memory", "pids", "cpu"].every((name) =>
        groups.some((line) => new RegExp(`^\\d+:([\\w,]*\\b${name}\\b[\\w,]*)?:.*/rbs-[^/]+/[^/]+$`).test(line)),
      );
    }),
  "Chromium's own sandbox is on": ({ browsers, renderers }) =>
    renderers.length > 0 && Math.min(...renderers.map(countFilters)) > Math.max(...browsers.map(countFilters)),
};

/** The setups that this user can test. Without variants, only the user's own setup. */
const TESTED = IS_ROOT ? Object.keys(SETUPS) : ["another user"];

test.each(HAS_VARIANTS ? TESTED : TESTED.slice(0, 1))("the protections in SECURITY.md work: %s", async (setup) => {
  const options = SETUPS[setup] ?? {};
  await using home = await openHome();
  const owner = options.user ?? options.firstUser;
  if (IS_ROOT && owner !== undefined) chownSync(home.folder, owner, owner);
  await using server = await startServer({ ...options, settings: { ...SPARES, ...options.settings } }, home);
  const first = await server.open({ Browser: 3 });
  if (options.settings === undefined)
    await until(
      () => countWaiting(server),
      (count) => count === WAITING,
    );
  await server.close(first);
  await Promise.all([server.open({ Browser: 3 }), server.open({ Browser: 3 })]);
  const found = await find(server);
  const held = Object.entries(PROBES).map(([row, holds]) => [row, holds(found) ? "yes" : "no"]);
  expect(Object.fromEntries(held)).toEqual(readColumn(setup));
});

/** Counts the shells that wait in prepared sandboxes. */
function countWaiting(server: RealServer): number {
  return server.processes().filter((one) => WAITING_SHELL.test(commandLine(one))).length;
}

async function find(server: RealServer): Promise<Found> {
  const all = listProcesses();
  const unshare = all.find((one) => one.parent === server.pid && commandLine(one).startsWith("unshare "));
  const family = server.processes();
  const browsers = family.filter((one) => /^\S+headless-shell (?!.*--type=)/.test(commandLine(one)));
  expect(browsers).toHaveLength(2);
  const readRenderers = (): Process[] =>
    server.processes().filter((one) => commandLine(one).includes("--type=renderer"));
  // A renderer gets its filters shortly after it starts.
  const most = Math.max(...browsers.map(countFilters));
  const hasMore = (found: readonly Process[]): boolean =>
    found.length > 0 && found.every((one) => countFilters(one) > most);
  const renderers = await until(readRenderers, hasMore, 5000).catch(readRenderers);
  const broker = all.find(({ parent }) => parent === unshare?.pid);
  // Bubblewrap loads the filter only after it has created a sandbox.
  const programs = family.filter((one) => !commandLine(one).startsWith("bwrap "));
  const sandboxed = programs.filter((one) => ![broker?.pid, unshare?.pid].includes(one.pid) && isApart(one, broker));
  return { server: server.pid, broker, browsers, sandboxed, renderers };
}

/** Whether a process and the broker are in different process namespaces. */
function isApart({ pid }: Process, broker: Process | undefined): boolean {
  const [own, other] = [pid, broker?.pid ?? pid].map((each) => readNamespace(each, "pid"));
  return own !== "" && own !== other;
}

/** Returns a process's namespace, or an empty string if the process has ended. */
function readNamespace(pid: number, name: string): string {
  try {
    return readlinkSync(`/proc/${pid}/ns/${name}`);
  } catch {
    return "";
  }
}

/** Counts a process's system call filters. A process inherits its parent's filters. */
function countFilters({ pid }: Process): number {
  return Number(/^Seccomp_filters:\t(\d+)$/m.exec(readStatus(String(pid)))?.[1]);
}

/** Returns a column of the protections table. */
function readColumn(setup: string): Record<string, string> {
  const lines = readFileSync(join(REPOSITORY, "SECURITY.md"), "utf8").split("\n");
  const cells = (line = ""): string[] => line.split("|").map((cell) => cell.trim());
  const first = lines.findIndex((line) => line.startsWith("| Protection |"));
  const column = cells(lines[first]).indexOf(setup);
  const rows = lines.slice(first + 2);
  return Object.fromEntries(
    rows
      .slice(
        0,
        rows.findIndex((line) => !line.startsWith("|")),
      )
      .map((row) => [cells(row)[1], cells(row)[column]]),
  );
}

function readStatus(process: string): string {
  return readFileSync(`/proc/${process}/status`, "utf8");
}

function uidOf(pid: number): number {
  return Number(/^Uid:\t(\d+)/m.exec(readStatus(String(pid)))?.[1]);
}

/** Whether the server's user can send signals to a process. */
function canSignal(server: number, { pid }: Process): boolean {
  const user = String(uidOf(server));
  const identity = IS_ROOT ? ["setpriv", "--reuid", user, "--regid", user, "--clear-groups", "--"] : [];
  return spawnSync("env", [...identity, "kill", "-0", String(pid)]).status === 0;
}
