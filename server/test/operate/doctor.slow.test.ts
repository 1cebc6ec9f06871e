import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CONDITIONAL, REFUSED, type SystemCall } from "../../src/broker/kernel/system-calls.ts";
import { openHome } from "../support/servers/home.ts";
import { startServer } from "../support/servers/real-server.ts";
import { type ScriptOptions, runScript } from "../support/machine/run-script.ts";
import { until } from "../support/until.ts";

const IS_ROOT = process.getuid?.() === 0;
const ORDINARY_UID = 12_345;

/** Runs a program with a filter that refuses some system calls, as container engines do: seccomp(2). */
const WITH_FILTER = `
  my ($prctl, $refused, @command) = @ARGV;
  my $filter = pack("SCCL", 0x20, 0, 0, 0);
  $filter .= pack("SCCLSCCL", 0x15, 0, 1, $_, 0x06, 0, 0, 0x00050001) for split(/,/, $refused);
  $filter .= pack("SCCL", 0x06, 0, 0, 0x7fff0000);
  my $program = pack("S x6 P", length($filter) / 8, $filter);
  syscall($prctl, 38, 1, 0, 0, 0) == 0 or die("no_new_privs: $!");
  syscall($prctl, 22, 2, $program) == 0 or die("seccomp: $!");
  exec(@command);
`;

const PROCESSOR = process.arch === "arm64" ? "arm64" : "x64";

/** @param call A system call to refuse. */
function refusing({ [PROCESSOR]: number }: SystemCall = {}): string[] {
  return ["perl", "-e", WITH_FILTER, PROCESSOR === "x64" ? "157" : "167", String(number)];
}

function inShell(script: string): string[] {
  return ["/bin/sh", "-c", `${script} && exec "$@"`, "sh"];
}

/** What prevents sandboxes from being created, what is missing as a result, and what the operator can do. */
const BLOCKERS: readonly (readonly [string, Partial<ScriptOptions>, missing: string, advice: RegExp])[] = [
  [
    "a filter that refuses namespaces",
    { wrapper: refusing(CONDITIONAL.unshare) },
    "User namespaces",
    /A system call filter \(seccomp\) blocks sandboxes\. To fix this: Docker: --security-opt seccomp=deploy\/seccomp\.json/,
  ],
  [
    "a filter that refuses mounts",
    { wrapper: refusing(REFUSED["mount"]) },
    "Mounts in user namespaces",
    /A system call filter \(seccomp\) blocks sandboxes/,
  ],
  [
    "a masked /proc",
    { wrapper: ["unshare", "--mount", "--", ...inShell("mount --bind /dev/null /proc/version")] },
    "A private /proc",
    /The container runtime masks parts of \/proc\. To fix this: Docker: --security-opt systempaths=unconfined/,
  ],
  [
    "a kernel setting",
    {
      wrapper: [
        ...["unshare", "--user", "--map-root-user", "--"],
        ...inShell("echo 0 > /proc/sys/user/max_user_namespaces"),
      ],
    },
    "User namespaces",
    /turn user namespaces off: user\.max_user_namespaces\. To fix this: .* sysctl --write user\.max_user_namespaces=\d+/,
  ],
];

function run(file: string, options: Partial<ScriptOptions>) {
  return runScript(file, [], { settings: {}, ...options });
}

test.runIf(IS_ROOT).each(BLOCKERS)(
  "doctor names the reason why sandboxes can't be created: %s",
  async (_, options, missing, advice) => {
    const { code, stdout } = await run("cli/doctor.ts", options);
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(advice) });
    expect(stdout).toContain(`NO  ${missing}\n`);
  },
);

test.runIf(IS_ROOT)("a server that can't create sandboxes doesn't start, and reports the reason", async () => {
  await using home = await openHome();
  const { code, stderr } = await run("main.ts", { wrapper: refusing(CONDITIONAL.unshare), settings: home.settings });
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining("Sandboxes can't be created. A system call filter (seccomp) blocks sandboxes."),
  });
});

test.each(IS_ROOT ? [undefined, ORDINARY_UID] : [undefined])(
  "doctor opens a browser of each kind, and lists its protections (user %s)",
  async (user) => {
    const { code, stdout } = await run("cli/doctor.ts", user === undefined ? {} : { user });
    expect(stdout).toMatch(/^ {2}yes Chromium's sandbox inside bubblewrap$/m);
    expect(stdout).toMatch(/^ {2}yes Each browser has its own files, processes and network$/m);
    const hasUsers = IS_ROOT && user === undefined;
    expect(stdout).toMatch(
      hasUsers ? /^ {2}yes Each browser has its own user$/m : /^ {2}NO {2}Each browser has its own user: only/m,
    );
    expect(stdout).toMatch(/^ {2}yes chromium \d+\.\d+\.\d+\.\d+: \d+ days old.*; opened in \d+ ms$/m);
    expect(stdout).toMatch(/^ {2}yes chromium \d+\.\d+\.\d+\.\d+ with a screen: \d+ days old.*; opened in \d+ ms$/m);
    expect(code).toBe(0);
  },
);

test("doctor reports a clock that is behind, and the server opens no browsers until the operator confirms the clock", async () => {
  await using home = await openHome();
  await using server = await startServer({ isFake: true }, home);
  const noted = join(home.dataDir, "clock.last");
  server.signal("SIGTERM");
  await server.ended;
  await writeFile(noted, new Date(Date.now() + 3_600_000).toISOString());
  const fault = "s behind the time in clock.last";
  // Without sandboxes, doctor skips opening browsers, which would take a long time.
  const wrapper = IS_ROOT ? refusing(CONDITIONAL.unshare) : [];
  const { code, stdout } = await run("cli/doctor.ts", { settings: home.settings, wrapper });
  expect([code, stdout]).toEqual([1, expect.stringContaining(fault)]);
  await using later = await startServer({ isFake: true }, home);
  const refused = await later.post("Open", {}, server.token);
  expect(refused).toMatchObject({ status: 503, body: { message: expect.stringContaining(fault) } });
  await rm(noted);
  await until(
    () => later.post("Open", {}, server.token),
    ({ status }) => status === 200,
  );
});
