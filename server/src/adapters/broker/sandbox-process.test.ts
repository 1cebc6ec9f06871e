import { statSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type CellRig, expectNothingAt, openCellRig, processesAt } from "../../../test/support/browser-rig.ts";
import { NEVER, PLACES } from "../../../test/support/real-host.ts";
import { environment } from "../../../test/support/processes.ts";

const IS_ROOT = process.getuid?.() === 0;
const CANARY = "a-canary-of-the-servers";

describe.each(PLACES)("in a cell that is %s, a program", (place) => {
  let rig: CellRig;

  beforeEach(async () => {
    rig = await openCellRig(place);
  });

  afterEach(async () => {
    await rig.cell[Symbol.asyncDispose]();
    await expectNothingAt(rig.root);
    await rig[Symbol.asyncDispose]();
  });

  test("sees nothing of the server's environment, nor does anything around it", async () => {
    process.env["RBS_CANARY"] = CANARY;
    await using running = await rig.start("env; echo complete; exec sleep 1000");
    await running.output.find(/complete/);
    delete process.env["RBS_CANARY"];
    expect(running.output.tail).toContain("GIVEN=given");
    expect(running.output.tail).not.toContain(CANARY);
    const around = processesAt(rig.root);
    expect(around.length).toBeGreaterThan(0);
    for (const one of around) expect(environment(one)).not.toContain(CANARY);
  });

  test.skipIf(!IS_ROOT)("is its cell's own user, in no group but its own", async () => {
    const { uid } = statSync(rig.cell.folder);
    expect(uid).not.toBe(process.getuid?.());
    expect(await rig.run("id -u; id -G")).toBe(`${uid}\n${uid}\n`);
  });

  test("starts in its cell's folder, and reads nothing", async () => {
    expect(await rig.run("pwd; readlink /proc/$$/fd/0; ls /proc/$$/fd > fds; grep -c '^[3-9]$' fds")).toBe(
      `${rig.cell.home}\n/dev/null\n0\n`,
    );
  });

  test("tells how it ended, and what it said", async () => {
    const running = await rig.start("echo words >&2; exit 7");
    expect(await running.ended).toEqual({ code: 7, signal: null });
    expect(running.log.tail).toBe("words\n");
    const killed = await rig.start("kill -9 $$");
    const { code, signal } = await killed.ended;
    expect(code ?? signal).toBe(place === "jail" ? 137 : "SIGKILL");
  });

  test("takes everything it started with it when it ends by itself", async () => {
    const running = await rig.start("sleep 1000 & (trap '' TERM HUP; sleep 1000) & echo started; exit 0");
    await running.ended;
    await expectNothingProcessed(rig.root);
  });

  test("is killed with everything it started, stopped or not; twice is safe", async () => {
    const running = await rig.start("sleep 1000 & (trap '' TERM; sleep 1000) & echo up; kill -STOP $$");
    await running.whenUp(running.output.find(/up/), 5000, NEVER);
    const startedMs = performance.now();
    await Promise.all([running[Symbol.asyncDispose](), running[Symbol.asyncDispose]()]);
    expect(performance.now() - startedMs).toBeLessThan(2000);
    await running[Symbol.asyncDispose]();
    await expectNothingProcessed(rig.root);
  });

  test("is killed at any moment of its start", async () => {
    for (let delayMs = 0; delayMs < 20; delayMs += 1) {
      const running = await rig.start("exec sleep 1000", true);
      await wait(delayMs);
      await running[Symbol.asyncDispose]();
    }
    await expectNothingProcessed(rig.root);
  });

  test("that can't be run says why", async () => {
    const running = await rig.cell.run({
      command: "/no/such/program",
      arguments: [],
      environment: {},
      reads: [],
      isBrowser: false,
    });
    await expect(running.whenUp(new Promise(() => {}), 5000, NEVER)).rejects.toThrow(
      /exited with \d+\..*\/no\/such\/program/s,
    );
  });
});

describe("the wait for a start", () => {
  let rig: CellRig;

  beforeEach(async () => {
    rig = await openCellRig("unconfined");
    vi.spyOn(globalThis, "setTimeout");
    vi.spyOn(globalThis, "clearTimeout");
  });

  afterEach(async () => {
    vi.restoreAllMocks();
    await rig.cell[Symbol.asyncDispose]();
    await expectNothingAt(rig.root);
    await rig[Symbol.asyncDispose]();
  });

  test.each([
    ["succeeds", "echo up", 5000, /up/, /^up$/],
    ["takes too long", "echo thinking >&2; exec sleep 1000", 200, /up/, /was not ready in 200 ms\..*thinking/s],
    ["ends before", "echo broken >&2; exit 3", 5000, /up/, /exited with 3\. Its log ends: broken/],
  ])("that %s leaves no timer", async (_, script, timeoutMs, sign, result) => {
    const { signal } = new AbortController();
    await using running = await rig.start(script);
    const up = running.output.find(sign).then(([text]) => text);
    expect(String(await running.whenUp(up, timeoutMs, signal).catch((error: unknown) => error))).toMatch(result);
    expect(leftTimers()).toBe(0);
  });

  test("rejects with the signal's reason, whether it was aborted before or during", async () => {
    await using running = await rig.start("exec sleep 1000");
    const reason = new Error("nobody wants it");
    const never = new Promise(() => {});
    await expect(running.whenUp(never, 5000, AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const waiting = running.whenUp(never, 5000, controller.signal);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(leftTimers()).toBe(0);
  });

  test("fails with what the sign failed with", async () => {
    await using running = await rig.start("echo words >&2; exec sleep 1000");
    await running.log.find(/words/);
    const cause = new Error("refused");
    const error: unknown = await running.whenUp(Promise.reject(cause), 5000, NEVER).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ message: expect.stringMatching(/did not come up\..*words/s), cause });
  });
});

async function expectNothingProcessed(root: string): Promise<void> {
  await expect.poll(() => processesAt(root), { timeout: 2000 }).toEqual([]);
}

/** Timers that were started since `vi.spyOn(globalThis, "setTimeout")` and not cleared. */
function leftTimers(): number {
  const started = vi.mocked(setTimeout).mock.results.map(({ value }) => value);
  const cleared = new Set(vi.mocked(clearTimeout).mock.calls.map(([timer]) => timer));
  return started.filter((timer) => !cleared.has(timer)).length;
}
