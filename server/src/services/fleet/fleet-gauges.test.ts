import { expect, test } from "vitest";
import { FakeClock } from "../../../test/fakes/fake-clock.ts";
import { CALLS_VERSION } from "../../ports/cluster/worker-call-rules.ts";
import type { Server } from "../../ports/cluster/server-registry.ts";
import { Placement } from "../placement/placement.ts";

const REPORT = { version: "1.0.0", calls: CALLS_VERSION, kinds: ["chromium"], plans: "12345678" } as const;
const LOAD = { capacity: 10, taken: 3, warm: 1 };

function toWorker(id: string, facts: Partial<Server> = {}): Server {
  const entry = { id, instance: "1", wanted: "active", isAlive: true, seenAt: new Date(0) } as const;
  return { ...REPORT, ...LOAD, ...entry, role: "worker", url: "http://127.0.0.1:1", ...facts };
}

function newPlacement(servers: readonly Server[]): Placement {
  const placement = new Placement({ clock: new FakeClock(), random: () => 0 });
  placement.update(servers);
  return placement;
}

test("workers are counted by state, and only workers that open browsers have slots", () => {
  const { gauges } = newPlacement([
    toWorker("a"),
    toWorker("b"),
    toWorker("c", { wanted: "cordoned" }),
    toWorker("d", { wanted: "draining" }),
    toWorker("e", { phase: "stopping" }),
    toWorker("f", { isAlive: false }),
    toWorker("g", { isAlive: false, phase: "stopping" }),
    toWorker("h", { isAlive: false, phase: "left", wanted: "cordoned" }),
    toWorker("i", { role: "front", capacity: 0 }),
  ]);
  expect(Object.fromEntries(gauges.workers)).toEqual({
    active: 2,
    cordoned: 1,
    draining: 1,
    stopping: 1,
    silent: 2,
    left: 1,
  });
  expect(gauges).toMatchObject({ capacity: 20, taken: 6, warm: 2, plans: 1 });
});

test("the plans of all live servers are compared, including front-ends", () => {
  const front = toWorker("front", { role: "front", plans: "87654321" });
  expect(newPlacement([toWorker("a"), front]).gauges.plans).toBe(2);
  expect(newPlacement([toWorker("a"), { ...front, isAlive: false }]).gauges.plans).toBe(1);
});

test("a worker that is stopping or draining receives no browsers", () => {
  for (const facts of [{ phase: "stopping" }, { wanted: "draining" }, { wanted: "cordoned" }] as const) {
    const placement = newPlacement([toWorker("a", facts)]);
    expect(placement.place("chromium")).toBeUndefined();
    expect(placement.refusal).toMatchObject({ failure: "BrowserUnavailable" });
    expect(newPlacement([toWorker("a", facts), toWorker("b")]).place("chromium")?.worker.id).toBe("b");
  }
});
