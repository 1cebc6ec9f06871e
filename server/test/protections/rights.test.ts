import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  renameSync,
  readdirSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { operations } from "@remote-browser/contract/operations";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { call } from "../support/servers/call.ts";
import { openFakeProvider } from "../support/provider/fake-provider.ts";
import { type Home, openHome } from "../support/servers/home.ts";
import { listProcesses } from "../support/machine/processes.ts";
import { says } from "../support/provider/provider-reactions.ts";
import { type RealServer, startServer } from "../support/servers/real-server.ts";
import { REPOSITORY, runScript } from "../support/machine/run-script.ts";
import { openProxy } from "../support/proxies/test-proxy.ts";
import { variant } from "../support/variants.ts";

const IS_ROOT = process.getuid?.() === 0;
const DEFAULT_UID = 0x7010_0000;
const DAEMON_UID = 1;

let home: Home;
let server: RealServer | undefined;

beforeEach(async () => {
  home = await openHome();
});

afterEach(async () => {
  await server?.[Symbol.asyncDispose]();
  server = undefined;
  await home[Symbol.asyncDispose]();
});

/** Returns the distinct privilege lines in the status of a process's threads. */
function readRights(pid: number): string[] {
  const all = readdirSync(`/proc/${pid}/task`).map((thread) => {
    const status = readFileSync(`/proc/${pid}/task/${thread}/status`, "utf8");
    return (status.match(/^(?:Uid|Gid|Groups|CapPrm|CapEff|NoNewPrivs):.*$/gm) ?? []).join("\n");
  });
  return [...new Set(all)];
}

function rightsOf(uid: number): string[] {
  const ids = [uid, uid, uid, uid].join("\t");
  const none = "0".repeat(16);
  return [`Uid:\t${ids}\nGid:\t${ids}\nGroups:\t \nCapPrm:\t${none}\nCapEff:\t${none}\nNoNewPrivs:\t1`];
}

/** Runs a command as an unprivileged user. @returns The command's standard error. */
function tryAs(uid: number, ...command: readonly string[]): string {
  const identity = ["--reuid", String(uid), "--regid", String(uid), "--clear-groups", "--no-new-privs", "--"];
  return spawnSync("setpriv", [...identity, ...command], { encoding: "utf8" }).stderr;
}

function ownersIn(folder: string): number[] {
  return [...new Set(["", ...readdirSync(folder)].map((name) => statSync(join(folder, name)).uid))];
}

describe.skipIf(!IS_ROOT)("a server started by root", () => {
  test("has no privileges in any thread, and can't reach its broker or the system's secrets", async () => {
    server = await startServer({}, home);
    await server.close(await server.open());
    expect(readRights(server.pid)).toEqual(rightsOf(DEFAULT_UID));
    expect(server.output.stdout).toMatch(new RegExp(`^The server runs as user ${DEFAULT_UID}\\. .*RBS_USER`, "m"));
    expect(server.output.stderr).toMatch(/^RBS_WORK_DIR has no effect/m);
    const broker = listProcesses().find(({ parent, session }) => parent === session && isChildOf(session));
    expect(broker).toBeDefined();
    expect(tryAs(DEFAULT_UID, "kill", "-0", String(broker?.pid))).toMatch(/not permitted/);
    expect(tryAs(DEFAULT_UID, "ls", `/proc/${broker?.pid}/root/`)).toMatch(/Permission denied/);
    expect(tryAs(DEFAULT_UID, "cat", "/etc/shadow")).toMatch(/Permission denied/);
    expect(ownersIn(home.dataDir)).toEqual([DEFAULT_UID]);
  });

  function isChildOf(session: number): boolean {
    return listProcesses().some(({ pid, parent }) => pid === session && parent === server?.pid);
  }

  variant("takes over root's data folder, and root's later commands use the folder as the server's user", async () => {
    const settings = { ...home.settings, RBS_USER: "root" };
    await (await startServer({ isFake: true, settings: { RBS_USER: "root" } }, home))[Symbol.asyncDispose]();
    const before = await runScript("cli/account.ts", ["create", "--email", "a@example.com", "--plan", "self-hosted"], {
      settings,
    });
    expect(before).toMatchObject({ code: 0 });
    expect(ownersIn(home.dataDir)).toEqual([0]);
    server = await startServer({ settings: { RBS_USER: "daemon" } }, home);
    expect(ownersIn(home.dataDir)).toEqual([DAEMON_UID]);
    expect(readRights(server.pid)).toEqual(rightsOf(DAEMON_UID));
    expect(await home.report("a@example.com")).toMatchObject({ plan: "self-hosted" });
    expect(ownersIn(home.dataDir)).toEqual([DAEMON_UID]);
  });

  test("refuses a data folder that contains other files or belongs to another user, without changing the folder", async () => {
    mkdirSync(home.dataDir);
    writeFileSync(join(home.dataDir, "precious"), "");
    expect((await runScript("main.ts", [], home)).stderr).toMatch(/has files that are not the server's.*RBS_DATA_DIR/);
    expect(ownersIn(home.dataDir)).toEqual([0]);
    renameSync(join(home.dataDir, "precious"), join(home.dataDir, "service.sqlite"));
    chmodSync(home.dataDir, 0o770);
    expect((await runScript("main.ts", [], home)).stderr).toMatch(/or other users can write to it/);
    expect(ownersIn(home.dataDir)).toEqual([0]);
    chownSync(home.dataDir, DAEMON_UID, DAEMON_UID);
    expect((await runScript("main.ts", [], home)).stderr).toMatch(/belongs to user 1, but the server runs as user/);
    const unknown = await runScript("main.ts", [], { settings: { ...home.settings, RBS_USER: "no-such-user" } });
    expect(unknown).toMatchObject({ code: 78, stderr: expect.stringMatching(/RBS_USER.*no-such-user/) });
  });

  variant("listens on a privileged port, and reads a proxy list that only root can read", async () => {
    await using proxy = await openProxy();
    const list = join(home.folder, "proxies.txt");
    writeFileSync(list, `http://127.0.0.1:${proxy.port}\n`, { mode: 0o400 });
    const port = findRootsPort();
    server = await startServer({ settings: { RBS_PORT: String(port), RBS_PROXIES: list, RBS_EGRESS: "any" } }, home);
    expect(server.url.port).toBe(String(port));
    expect(readRights(server.pid)).toEqual(rightsOf(DEFAULT_UID));
  });

  variant("runs from a folder that only root can enter, and can still load modules later", async () => {
    const closed = join(home.folder, "closed");
    const repository = join(closed, "repository");
    mkdirSync(closed, { mode: 0o700 });
    mkdirSync(repository);
    await using provider = await openFakeProvider();
    provider.react(says('{"which": 1}'));
    const ai = { ANTHROPIC_API_KEY: "canary", ANTHROPIC_BASE_URL: provider.url };
    const settings = { RBS_DATA_DIR: join(closed, "data"), ...ai };
    server = await startServer({ settings, repository, replacedFiles: { [repository]: REPOSITORY } }, home);
    expect(readRights(server.pid)).toEqual(rightsOf(DEFAULT_UID));
    // The SDK, and the threads that read pages and check answers, load with the first query.
    const query = { prompt: "Which?", html: "<p>The first</p>", schema: { type: "object" } };
    const { path } = operations.queryAi;
    expect(await call(server.url, "POST", path, server.token, query)).toMatchObject({ status: 200 });
    await server.close(await server.open({ Headless: false }));
    expect(tryAs(DEFAULT_UID, "ls", closed)).toMatch(/Permission denied/);
  });
});

test("RBS_USER is refused if root didn't start the server", async () => {
  const settings = { ...home.settings, RBS_USER: "root" };
  const given = IS_ROOT ? { user: DEFAULT_UID } : {};
  const { code, stderr } = await runScript("main.ts", [], { settings, ...given });
  expect({ code, stderr }).toMatchObject({
    code: 78,
    stderr: expect.stringMatching(/RBS_USER is root, but only root/),
  });
});

/** Returns a free port below 1024. */
function findRootsPort(): number {
  const used = ["tcp", "tcp6"].map((name) => readFileSync(`/proc/net/${name}`, "utf8")).join("");
  const isUsed = (port: number): boolean => used.includes(`:${port.toString(16).toUpperCase().padStart(4, "0")} `);
  for (let port = 1023; port > 512; port -= 1) if (!isUsed(port)) return port;
  throw new Error("No port below 1024 is free.");
}
