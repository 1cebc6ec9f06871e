import { describe, expect, test } from "vitest";
import { FakeClock, settled } from "../../../test/fakes/fake-clock.ts";
import { RecordingLog } from "../../../test/fakes/recording-log.ts";
import { RecordingMetrics } from "../../../test/fakes/recording-metrics.ts";
import { newFakeClient, toAccount, toWorker } from "../../../test/support/servers/cluster-rig.ts";
import { BASE, OPTIONS } from "../../../test/support/servers/services-rig.ts";
import { Failure } from "../../domain/failure.ts";
import type { OpenCall } from "../../ports/fleet.ts";
import type { StoredBrowser } from "../../ports/store/fleet-store.ts";
import { StoreUnavailable } from "../../ports/store/store.ts";
import type { WorkerCalls } from "../../ports/cluster/worker-calls.ts";
import type { Server } from "../../ports/cluster/server-registry.ts";
import { STORE_WAIT_MS } from "../store/store-wait.ts";
import { Acknowledgements } from "./acknowledgements.ts";
import { newClusterFleet } from "./cluster-fleet.ts";
import { Placement } from "../placement/placement.ts";

const ANNA = toAccount("anna");
const ADDRESS = `ws://127.0.0.1/devtools/browser/worker01${"k".repeat(24)}`;
const UNREACHABLE = { failure: "BrowserUnavailable", retryAfterS: 5 };

/**
 * Returns a front-end with a browser on each of these workers, and a second browser on the first worker. Workers with
 * no calls defined don't respond.
 */
function newRig(workers: Readonly<Record<string, Partial<WorkerCalls>>>) {
  const [clock, log, metrics] = [new FakeClock(), new RecordingLog(), new RecordingMetrics()];
  const placement = new Placement({ clock, random: () => 0 });
  placement.update(Object.keys(workers).map((id) => toWorker(id)));
  const ids = Object.keys(workers);
  const browsers = [...ids, ids[0] ?? ""].map((worker, index) => {
    const facts = { id: `browser-${index}`, accountId: "anna", worker, instance: "1", details: undefined, tags: ["x"] };
    return { ...facts, openedAt: clock.now(), label: undefined } as unknown as StoredBrowser;
  });
  const wanted: string[] = [];
  const away = { isAway: false, hangs: false };
  const client = newFakeClient(workers);
  const common = { clock, log, metrics, placement, workers: client };
  const opened = { id: "browser-0", address: ADDRESS };
  const acknowledgements = new Acknowledgements(common);
  const started: Server[] = [];
  const refreshWorkers = async (): Promise<void> => {
    if (started.length > 0) placement.update(started);
  };
  const fleet = newClusterFleet({
    ...common,
    refreshWorkers,
    opens: { openNew: async () => ({ ...opened }) as never },
    keyed: { openOnce: async () => opened },
    acknowledgements,
    store: {
      async list() {
        if (away.hangs) return new Promise(() => {});
        if (away.isAway) throw new StoreUnavailable("It is away.");
        return browsers;
      },
      find: async (_: string, selector: { id: string }) => browsers.find(({ id }) => id === selector.id),
      wantClosed: async (id: string) => void wanted.push(id),
    } as never,
  });
  return { clock, log, placement, fleet, acknowledgements, wanted, away, started };
}

test("a call for a browser reaches a worker that has just started", async () => {
  const closed: string[] = [];
  const close = async (): Promise<void> => void closed.push("worker01");
  const { fleet, placement, started } = newRig({ worker01: { close } });
  placement.update([]);
  started.push(toWorker("worker01"));
  await fleet.close(ANNA, { id: "browser-0" });
  expect(closed).toEqual(["worker01"]);
});

describe("when a worker doesn't respond", () => {
  test("the other workers' browsers are closed, and the worker's browsers are marked to be closed", async () => {
    const closed: string[] = [];
    const closeMatching = async (): Promise<number> => closed.push("worker02");
    const { fleet, wanted } = newRig({ worker01: {}, worker02: { closeMatching } });
    await expect(fleet.closeMatching(ANNA, { tag: "x" })).rejects.toMatchObject(UNREACHABLE);
    expect([closed, wanted]).toEqual([["worker02"], ["browser-0", "browser-2"]]);
    expect(await fleet.closeMatching(ANNA, { label: "other" })).toBe(0);
  });

  test("a Close is remembered, unless the worker refuses it", async () => {
    const close = async (): Promise<void> => {
      throw new Failure("BrowserNotFound", "It has ended.");
    };
    const { fleet, wanted, placement, away } = newRig({ worker01: {}, worker02: { close } });
    await expect(fleet.close(ANNA, { id: "browser-0" })).rejects.toMatchObject(UNREACHABLE);
    await expect(fleet.close(ANNA, { id: "browser-1" })).rejects.toMatchObject({ failure: "BrowserNotFound" });
    expect(wanted).toEqual(["browser-0"]);
    placement.update([]);
    await expect(fleet.close(ANNA, { id: "browser-1" })).rejects.toMatchObject(UNREACHABLE);
    expect(wanted).toEqual(["browser-0", "browser-1"]);
    away.isAway = true;
    await expect(fleet.list(ANNA)).rejects.toMatchObject(UNREACHABLE);
  });

  test("a database that hangs delays calls to the worker no longer than it delays other requests", async () => {
    const { fleet, clock, away } = newRig({ worker01: {} });
    away.hangs = true;
    const refused = fleet.list(ANNA).catch((error: unknown) => error);
    await clock.pass(STORE_WAIT_MS);
    expect(await refused).toMatchObject(UNREACHABLE);
    expect(clock.pending).toBe(0);
  });

  test("calls in progress fail when the worker stops reporting", async () => {
    const { fleet, placement } = newRig({ worker01: { stopDesktop: () => new Promise(() => {}) } });
    const stopping = fleet.stopDesktop(ANNA, { id: "browser-0" }).catch((error: unknown) => error);
    await settled();
    placement.update([toWorker("worker01", { isAlive: false })]);
    expect(await stopping).toMatchObject(UNREACHABLE);
  });

  test("the desktops of a worker that doesn't respond or report are unavailable", async () => {
    const { fleet, placement } = newRig({ worker01: {}, worker02: { hasDesktop: async (key) => key === "k" } });
    expect([await fleet.hasDesktop("worker02", "k"), await fleet.hasDesktop("worker02", "other")]).toEqual([
      true,
      false,
    ]);
    await expect(fleet.hasDesktop("worker01", "k")).rejects.toMatchObject(UNREACHABLE);
    placement.update([toWorker("worker02", { isAlive: false })]);
    await expect(fleet.hasDesktop("worker02", "k")).rejects.toMatchObject(UNREACHABLE);
  });

  test("disabling an account and listing its browsers still work", async () => {
    const { fleet } = newRig({ worker01: {} });
    await fleet.closeAllOf("anna", "disabled");
    expect(await fleet.list(ANNA)).toMatchObject([{ id: "browser-0", units: 1, clients: 0 }, { id: "browser-1" }]);
  });
});

describe("a successful Open", () => {
  const toCall = (caller = new AbortController()): OpenCall => {
    return { account: ANNA, options: OPTIONS, base: BASE, disconnected: caller.signal };
  };

  test("is acknowledged up to five times, every four seconds, until the worker responds", async () => {
    let tries = 0;
    const acknowledge = async (id: string): Promise<undefined> => {
      tries += 1;
      expect(id).toBe("browser-0");
      if (tries !== 3) throw new Error("It doesn't answer.");
    };
    const { fleet, clock, log } = newRig({ worker01: { acknowledge } });
    await fleet.openBrowser(toCall());
    await clock.pass(60_000);
    expect([tries, log.lines, clock.pending]).toEqual([3, [], 0]);
    await fleet.openBrowser(toCall(), "key");
    await clock.pass(60_000);
    expect([tries, log.lines.map(({ event }) => event)]).toEqual([8, ["browser.not_acknowledged"]]);
  });

  test("is acknowledged immediately at shutdown, which waits for at most one second", async () => {
    const acknowledged: string[] = [];
    const { fleet, clock, acknowledgements } = newRig({
      worker01: {
        acknowledge: async (id) => {
          acknowledged.push(id);
          return new Promise(() => {});
        },
      },
    });
    const caller = new AbortController();
    await fleet.openBrowser(toCall(caller));
    caller.abort();
    await fleet.openBrowser(toCall());
    const stopped = acknowledgements[Symbol.asyncDispose]();
    expect(acknowledged).toEqual(["browser-0"]);
    await clock.pass(1000);
    await stopped;
    expect(clock.pending).toBe(0);
  });

  test("isn't acknowledged if its caller has disconnected or its worker no longer exists", async () => {
    let tries = 0;
    const { fleet, placement, clock } = newRig({ worker01: { acknowledge: async () => void (tries += 1) } });
    const caller = new AbortController();
    await fleet.openBrowser(toCall(caller));
    // The caller disconnects while the response is being written.
    caller.abort();
    await clock.pass(60_000);
    placement.update([]);
    await fleet.openBrowser(toCall());
    await clock.pass(60_000);
    expect([tries, clock.pending]).toEqual([0, 0]);
  });
});
