import { expect, test } from "vitest";
import { FakeClock, settled } from "../../../test/fakes/fake-clock.ts";
import { RecordingLog } from "../../../test/fakes/recording-log.ts";
import { newFakeClient, toWorker } from "../../../test/support/servers/cluster-rig.ts";
import { type WorkerCalls, WorkerUnreachable } from "../../ports/cluster/worker-calls.ts";
import { Placement } from "./placement.ts";
import { Reachability } from "./reachability.ts";

/** Returns a front-end with live workers. Only the workers in `answering` respond. */
async function newRig(reporting: readonly string[], answering: readonly string[]) {
  const [clock, log] = [new FakeClock(), new RecordingLog()];
  const answers: Partial<WorkerCalls> = { ping: async () => {} };
  const workers: Record<string, Partial<WorkerCalls>> = Object.fromEntries(answering.map((id) => [id, answers]));
  const placement = new Placement({ clock, random: () => 0 });
  placement.update(reporting.map((id) => toWorker(id)));
  const reachability = new Reachability({ placement, workers: newFakeClient(workers), clock, log });
  reachability.start();
  await settled();
  const setAnswering = async (id: string, isAnswering: boolean): Promise<void> => {
    if (isAnswering) workers[id] = answers;
    else delete workers[id];
    await clock.pass(5000);
  };
  return { clock, log, placement, reachability, setAnswering, workers };
}

test("workers that have never responded are unreachable after one failed call", async () => {
  const { reachability, log } = await newRig(["worker01", "worker02"], []);
  expect(reachability.fault).toBe(
    "None of the 2 workers responds to this front-end. For the reason, see worker.unreachable in the front-end's log.",
  );
  expect(log.lines.map(({ event, facts }) => [event, facts?.["worker"]])).toEqual([
    ["worker.unreachable", "worker01"],
    ["worker.unreachable", "worker02"],
  ]);
});

test("a worker that has responded before is unreachable after two failed calls, and its loss and return are logged once", async () => {
  const { reachability, log, setAnswering } = await newRig(["worker01"], ["worker01"]);
  const faults: (string | undefined)[] = [];
  for (const isAnswering of [true, false, false, false, true]) {
    await setAnswering("worker01", isAnswering);
    faults.push(reachability.fault?.slice(0, 24));
  }
  const fault = "The worker doesn't respo";
  expect(faults).toEqual([undefined, undefined, fault, fault, undefined]);
  expect(log.lines.map(({ event }) => event)).toEqual(["worker.unreachable", "worker.reachable"]);
});

test("no fault is reported if one worker responds or hasn't been called yet", async () => {
  const { reachability, placement } = await newRig(["worker01", "worker02"], ["worker02"]);
  expect(reachability.fault).toBeUndefined();
  placement.update([toWorker("worker01")]);
  expect(reachability.fault).toContain("The worker doesn't respond");
  placement.update(["worker01", "worker03"].map((id) => toWorker(id)));
  expect(reachability.fault).toBeUndefined();
});

test("without workers that open browsers, no calls are made and no fault is reported", async () => {
  const { reachability, placement, log, clock } = await newRig(["worker01"], []);
  placement.update([toWorker("worker01", { wanted: "draining" })]);
  await clock.pass(5000);
  expect(reachability.fault).toBeUndefined();
  expect(log.lines).toHaveLength(1);
});

test("disposing stops further calls, even during a call", async () => {
  const { reachability, clock } = await newRig(["worker01"], []);
  expect(clock.pending).toBe(1);
  reachability[Symbol.dispose]();
  expect(clock.pending).toBe(0);
  reachability.start();
  await settled();
  expect(clock.pending).toBe(0);
});

test("a worker whose URL points to another worker receives no browsers until it responds or restarts", async () => {
  const { placement, clock, workers } = await newRig(["worker01", "worker02"], ["worker01", "worker02"]);
  const place = (): string | undefined => placement.placeAnyway("chromium", new Set(["worker02"]))?.worker.id;
  const error = new WorkerUnreachable("Another one.", { isOutcomeUnknown: false, isMisdirected: true });
  workers["worker01"] = { ping: () => Promise.reject(error) };
  expect(place()).toBe("worker01");
  await clock.pass(5000);
  for (let looks = 0; looks < 5; looks += 1) {
    expect(place()).toBeUndefined();
    await clock.pass(5000);
  }
  placement.update([toWorker("worker01", { instance: "2" })]);
  expect(place()).toBe("worker01");
  await clock.pass(5000);
  expect(place()).toBeUndefined();
  workers["worker01"] = { ping: async () => {} };
  await clock.pass(15_000);
  expect(place()).toBe("worker01");
});
