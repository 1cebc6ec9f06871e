import { readFileSync, statSync } from "node:fs";
import { PassThrough, Readable } from "node:stream";
import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type SandboxRig, openSandboxRig } from "../../../test/support/browsers/browser-rig.ts";
import { expectNothingLeft } from "../../../test/support/browsers/traces.ts";
import { NEVER, ISOLATIONS } from "../../../test/support/browsers/real-host.ts";
import { environment } from "../../../test/support/machine/processes.ts";
import { FakeClock } from "../../../test/fakes/fake-clock.ts";
import { systemClock } from "../node/system-clock.ts";
import { HAS_VARIANTS } from "../../../test/support/variants.ts";
import { readOutput } from "./sandbox-process.ts";

const IS_ROOT = process.getuid?.() === 0;
/** Duration of the processor time measurement, in ms. */
const MEASURED_MS = 600;
const CANARY = "a-canary-of-the-servers";

describe.each(ISOLATIONS)("with isolation %s, a program", (isolation) => {
  let rig: SandboxRig;

  beforeAll(async () => {
    rig = await openSandboxRig(isolation);
  });

  afterAll(async () => {
    await rig.sandbox[Symbol.asyncDispose]();
    await expectNothingLeft(rig.traces);
    await rig[Symbol.asyncDispose]();
  });

  test("inherits nothing from the server's environment, and neither do its wrapper processes", async () => {
    process.env["RBS_CANARY"] = CANARY;
    await using running = await rig.start("env; echo complete; exec sleep 1000");
    await running.output.find(/complete/);
    delete process.env["RBS_CANARY"];
    expect(running.output.tail).toContain("GIVEN=given");
    expect(running.output.tail).not.toContain(CANARY);
    const around = rig.traces.processes();
    expect(around.length).toBeGreaterThan(0);
    for (const one of around) expect(environment(one)).not.toContain(CANARY);
  });

  test.skipIf(!IS_ROOT)("runs as its sandbox's own user and group, and in no other groups", async () => {
    const { uid } = statSync(rig.folder);
    expect(uid).not.toBe(process.getuid?.());
    await using running = await rig.start("echo up; exec sleep 1000");
    await running.output.find(/up/);
    const seen = rig.traces.processes().filter(({ line }) => !line.startsWith("bwrap "));
    const ids = seen.map(({ pid }) => readFileSync(`/proc/${pid}/status`, "latin1").match(/^(?:[UG]id|Groups):.*/gm));
    const four = `\t${uid}`.repeat(4);
    const groups = expect.stringMatching(new RegExp(`^Groups:\\s*(?:${uid})?\\s*$`));
    for (const found of ids) expect(found).toEqual([`Uid:${four}`, `Gid:${four}`, groups]);
    expect(ids).not.toHaveLength(0);
  });

  test("starts in its sandbox's folder, with empty standard input", async () => {
    expect(await rig.run("pwd; readlink /proc/$$/fd/0; ls /proc/$$/fd > fds; grep -c '^[3-9]$' fds")).toBe(
      `${rig.sandbox.home}\n/dev/null\n0\n`,
    );
  });

  test("receives its arguments literally, without shell expansion", async () => {
    const odd = `'"$HOME" \`id\` $(id) \\ ;#\n\t*`;
    const given = [`printf '%s|%s' "$1" "$ODD"`, "sh", odd];
    const running = await rig.sandbox.run({ name: "sh", arguments: given, environment: { ODD: odd } });
    await running.ended;
    expect(running.output.tail).toBe(`${odd}|${odd}`);
  });

  test("reports its exit code or signal, and its log", async () => {
    const running = await rig.start("echo words >&2; exit 7");
    expect(await running.ended).toEqual({ code: 7, signal: null });
    expect(running.log.tail).toBe("words\n");
    const killed = await rig.start("kill -9 $$");
    const { code, signal } = await killed.ended;
    expect(code ?? signal).toBe(isolation === "sandbox" ? 137 : "SIGKILL");
  });

  test("counts its own processor time", async () => {
    await using busy = await rig.start("while :; do :; done");
    await using idle = await rig.start("sleep 1000 & exec sleep 1000");
    await expect.poll(() => busy.readProcessorMs()).toBeGreaterThan(100);
    expect(await idle.readProcessorMs()).toBeLessThan(100);
    await busy[Symbol.asyncDispose]();
    expect(await busy.readProcessorMs()).toBe(0);
  });

  test("ends its children when it exits", async () => {
    const running = await rig.start("sleep 1000 & (trap '' TERM HUP; sleep 1000) & echo started; exit 0");
    await running.ended;
    await expectNoProcesses(rig);
  });

  test("is killed with its children, even if it is stopped; killing it twice is safe", async () => {
    const running = await rig.start("sleep 1000 & (trap '' TERM; sleep 1000) & echo up; kill -STOP $$");
    await running.whenReady(running.output.find(/up/), 5000, NEVER);
    const startedMs = performance.now();
    await Promise.all([running[Symbol.asyncDispose](), running[Symbol.asyncDispose]()]);
    expect(performance.now() - startedMs).toBeLessThan(2000);
    await running[Symbol.asyncDispose]();
    await expectNoProcesses(rig);
  });

  test("can be killed at any time while it starts", async () => {
    for (let delayMs = 0; delayMs < 20; delayMs += HAS_VARIANTS ? 1 : 4) {
      const running = await rig.start("exec sleep 1000", true);
      await wait(delayMs);
      await running[Symbol.asyncDispose]();
    }
    await expectNoProcesses(rig);
  });

  test("that writes endlessly costs the server little processor time, and can be killed quickly", async () => {
    await using running = await rig.start("echo up; yes >&2 & exec yes");
    await running.output.find(/up/);
    const before = process.cpuUsage();
    await wait(MEASURED_MS);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(MEASURED_MS / 2);
    const startedMs = performance.now();
    await running[Symbol.asyncDispose]();
    expect(performance.now() - startedMs).toBeLessThan(2000);
  });

  test("that can't be run leaves the reason in its log", async () => {
    const missing = { command: ["/no/such/program"], reads: [], isBrowser: false, isFirst: false };
    await using other = await openSandboxRig(isolation, { missing });
    const running = await other.sandbox.run({ name: "missing", arguments: [], environment: {} });
    expect(await running.ended).toEqual({ code: 127, signal: null });
    expect(running.log.tail).toContain("/no/such/program");
  });
});

describe("waiting until a program is ready", () => {
  let rig: SandboxRig;

  beforeEach(async () => {
    rig = await openSandboxRig("none");
    vi.spyOn(globalThis, "setTimeout");
    vi.spyOn(globalThis, "clearTimeout");
  });

  afterEach(async () => {
    vi.restoreAllMocks();
    await rig.sandbox[Symbol.asyncDispose]();
    await expectNothingLeft(rig.traces);
    await rig[Symbol.asyncDispose]();
  });

  test.each([
    ["succeeds", "echo up", 5000, /up/, /^up$/],
    ["takes too long", "echo thinking >&2; exec sleep 1000", 200, /up/, /was not ready in 200 ms\..*thinking/s],
    ["ends before", "echo broken >&2; exit 3", 5000, /up/, /exited with 3\. Its log ends: broken/],
  ])("that %s leaves no timers behind", async (_, script, timeoutMs, pattern, result) => {
    const { signal } = new AbortController();
    await using running = await rig.start(script);
    const up = running.output.find(pattern).then(([text]) => text);
    expect(String(await running.whenReady(up, timeoutMs, signal).catch((error: unknown) => error))).toMatch(result);
    expect(leftTimers()).toBe(0);
  });

  test("rejects with the signal's reason, whether the signal was aborted before or during the wait", async () => {
    await using running = await rig.start("exec sleep 1000");
    const reason = new Error("aborted");
    const never = new Promise(() => {});
    await expect(running.whenReady(never, 5000, AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const waiting = running.whenReady(never, 5000, controller.signal);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(leftTimers()).toBe(0);
  });

  test("fails with the reason why the program isn't ready", async () => {
    await using running = await rig.start("echo words >&2; exec sleep 1000");
    await running.log.find(/words/);
    const cause = new Error("refused");
    const error: unknown = await running
      .whenReady(Promise.reject(cause), 5000, NEVER)
      .catch((caught: unknown) => caught);
    expect(error).toMatchObject({ message: expect.stringMatching(/did not come up\..*words/s), cause });
  });
});

describe("in a program's output,", () => {
  test("a match is found wherever the stream is cut", async () => {
    const stream = new PassThrough();
    const output = readOutput(stream, systemClock);
    const found = output.find(/listening on (\S+)\n/);
    for (const part of ["noise\nlisten", "ing on /de", "vtools\nmore"]) stream.write(part);
    expect((await found)[1]).toBe("/devtools");
  });

  test("a match in earlier output is found", async () => {
    const stream = new PassThrough();
    const output = readOutput(stream, systemClock);
    stream.write("ready\n");
    await output.find(/ready/);
    expect((await output.find(/^(\w+)\n/))[1]).toBe("ready");
  });

  test("a pattern is found at the start of a chunk that is longer than the tail", async () => {
    const stream = new PassThrough();
    const output = readOutput(stream, systemClock);
    const found = output.find(/ready/);
    stream.write(`ready${"x".repeat(10_000)}`);
    await found;
    expect(output.tail).toBe("x".repeat(4000));
  });

  test.each([
    ["large pieces", 65_536, 16, 4],
    ["single bytes", 1, 256, 64],
  ])("%s are read at a limited rate", async (_, length, burst, perSecond) => {
    const clock = new FakeClock();
    let pieces = 0;
    const stream = new Readable({
      read() {
        setImmediate(() => {
          pieces += 1;
          this.push(Buffer.alloc(length));
        });
      },
    });
    const output = readOutput(stream, clock);
    const passTurns = async (): Promise<number> => {
      for (let turns = 0; turns < 1000; turns += 1) await nextTurn();
      return pieces;
    };
    // At most one more chunk is read, and another is buffered.
    expect(Math.abs((await passTurns()) - burst)).toBeLessThanOrEqual(2);
    await clock.pass(1000);
    expect(Math.abs((await passTurns()) - burst - perSecond)).toBeLessThanOrEqual(2);
    output.lift();
    expect(await passTurns()).toBeGreaterThan(burst + perSecond + 500);
    stream.destroy();
  });

  test("a character split across two chunks is read as one character", async () => {
    const stream = new PassThrough();
    const output = readOutput(stream, systemClock);
    const found = output.find(/ü/);
    for (const byte of Buffer.from("ü")) stream.write(Buffer.of(byte));
    await found;
    expect(output.tail).toBe("ü");
  });
});

async function expectNoProcesses({ traces }: SandboxRig): Promise<void> {
  await expect.poll(() => traces.processes()).toEqual([]);
}

/** Returns the timers that were started after `vi.spyOn(globalThis, "setTimeout")` and not cleared. */
function leftTimers(): number {
  const started = vi.mocked(setTimeout).mock.results.map(({ value }) => value);
  const cleared = new Set(vi.mocked(clearTimeout).mock.calls.map(([timer]) => timer));
  return started.filter((timer) => !cleared.has(timer)).length;
}
