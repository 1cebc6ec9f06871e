import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FakeClock } from "../../../test/fakes/fake-clock.ts";
import { RecordingLog } from "../../../test/fakes/recording-log.ts";
import { RecordingMetrics } from "../../../test/fakes/recording-metrics.ts";
import { newFakeClient, toAccount, toWorker } from "../../../test/support/servers/cluster-rig.ts";
import { expectExact } from "../../../test/support/databases/exact.ts";
import { type Postgres, startPostgres } from "../../../test/support/databases/postgres.ts";
import { BASE, OPTIONS } from "../../../test/support/servers/services-rig.ts";
import { newPostgresStore, openTestPostgresStore } from "../../../test/support/databases/stores.ts";
import { until } from "../../../test/support/until.ts";
import { orAborted } from "../../concurrency/abortable.ts";
import { SELF_HOSTED } from "../../domain/plan/plan.ts";
import { Failure } from "../../domain/failure.ts";
import type { FleetStore } from "../../ports/store/fleet-store.ts";
import { type Store, StoreUnavailable } from "../../ports/store/store.ts";
import { type OpenAnswer, type PlacedOpen, WorkerUnreachable } from "../../ports/cluster/worker-calls.ts";
import { Outbox } from "../store/outbox.ts";
import { LimitQueue } from "../admission/limit-queue.ts";
import { ClusterOpens } from "./cluster-opens.ts";
import { type Placed, Placement } from "../placement/placement.ts";
import { WorkerQueue } from "../placement/worker-queue.ts";

const WORKERS = ["one", "two", "three", "four"];
const ANNA = { ...toAccount("anna"), plan: SELF_HOSTED.name };

type ClusterStore = Store & { readonly fleet: FleetStore };

let postgres: Postgres;
let url: string;
let front: ClusterStore;
const workers = new Map<string, ClusterStore>();
let made = 0;
beforeAll(async () => {
  postgres = await startPostgres({ max_connections: 40 });
  const opened = await newPostgresStore(postgres, "front");
  ({ url } = opened);
  front = opened.store as ClusterStore;
  for (const id of WORKERS) workers.set(id, (await openTestPostgresStore(url, id, 1)) as ClusterStore);
  await front.accounts.create(ANNA, {});
});
afterAll(async () => {
  for (const store of [front, ...workers.values()]) await store[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
});

const query = <Row>(text: string): Promise<Row[]> => postgres.query<Row>(text, url);

/** A worker's store. */
const of = (id: string): ClusterStore => workers.get(id) as ClusterStore;

/** Returns the worker id in an address. In these tests, each key starts with its worker's id. */
const readWorker = (address: string): string | undefined => /browser\/([a-z]+)0/.exec(address)?.[1];

/**
 * How a worker reacts to an attempt. `lost…`: the worker's response doesn't arrive. `…late`: the worker commits after
 * the Open has ended.
 */
const REACTIONS = ["opened", "full", "failed", "lost before", "lost after", "lost, late", "caller leaves"] as const;
type Reaction = (typeof REACTIONS)[number] | "silent";

/**
 * Returns a front-end with four workers, which show these reactions in order. `failing` contains the numbers of the
 * store calls that fail.
 */
function newRig(reactions: Reaction[], failing: ReadonlySet<number> = new Set()) {
  const [clock, log, metrics] = [new FakeClock(), new RecordingLog(), new RecordingMetrics()];
  const caller = new AbortController();
  const settles: boolean[] = [];
  const [commits, undoes]: [(() => Promise<unknown>)[], (() => Promise<void>)[]] = [[], []];
  const calls: string[] = [];
  const placement = new Placement({ clock, random: () => 0 });
  const report = (changes = {}, at = 0): void =>
    placement.update(
      WORKERS.map((id) => {
        const { instance } = of(id).fleet.own;
        return toWorker(id, { capacity: 4, instance, seenAt: new Date(at), ...changes });
      }),
    );
  report();
  /** `placeAnyway` may return the same object as `place`. */
  const watched = new Set<Placed>();
  for (const name of ["place", "placeAnyway"] as const) {
    const place = placement[name].bind(placement);
    placement[name] = (...given) => {
      const placed = place(...given);
      if (placed === undefined || watched.has(placed)) return placed;
      const index = settles.push(false) - 1;
      const one: Placed = { worker: placed.worker, settle: (how) => ((settles[index] = true), placed.settle(how)) };
      watched.add(one);
      return one;
    };
  }
  const react = async (id: string, { browserId, attempt }: PlacedOpen, signal: AbortSignal): Promise<OpenAnswer> => {
    signal.throwIfAborted();
    calls.push(`${id} ${attempt}`);
    const { browsers, fleet } = of(id);
    const address = `ws://127.0.0.1/devtools/browser/${id.padEnd(8, "0")}${browserId.padEnd(22, "-")}`;
    const commit = (): Promise<unknown> => browsers.commitOpen(browserId, address, clock.now(), attempt);
    const undo = (): Promise<void> => fleet.cancel(browserId, attempt);
    const lost = new WorkerUnreachable("It doesn't answer.", { isOutcomeUnknown: true });
    const reaction = reactions.shift() ?? "opened";
    if (reaction === "silent") return orAborted(new Promise<never>(() => {}), signal);
    if (reaction === "full") return { is: "refused" };
    if (reaction === "lost before") throw lost;
    if (reaction === "lost, late") {
      commits.push(commit);
      throw lost;
    }
    if (reaction === "failed") {
      await undo();
      throw new Failure("BrowserUnavailable", "It did not start.");
    }
    await commit();
    if (reaction === "opened") return { is: "opened", address };
    // The worker discards the browser, because no caller has received it.
    undoes.push(undo);
    if (reaction === "lost after") throw lost;
    caller.abort(new Error("The caller has left."));
    throw signal.reason;
  };
  const client = newFakeClient(
    Object.fromEntries(WORKERS.map((id) => [id, { openPlaced: (open, signal) => react(id, open, signal) }])),
  );
  let storeCalls = 0;
  const orAway =
    <Given extends unknown[], T>(call: (...given: Given) => Promise<T>) =>
    async (...given: Given) => {
      if (failing.has((storeCalls += 1))) throw new StoreUnavailable("It is away.");
      return call(...given);
    };
  let refusal: Failure | undefined;
  const outbox = new Outbox({ clock, log });
  const waiting = new WorkerQueue({ placement, look: async () => {}, clock });
  const opens = new ClusterOpens({
    ...{ clock, log, metrics, placement, waiting, outbox },
    workers: client,
    findRefusal: () => refusal,
    store: { ...front.browsers, reserve: orAway(front.browsers.reserve), findKeyed: orAway(front.browsers.findKeyed) },
    fleetStore: {
      own: front.fleet.own,
      moveTo: orAway(front.fleet.moveTo),
      giveUp: orAway(front.fleet.giveUp),
    },
    accounts: front.accounts,
    queue: new LimitQueue({ clock, store: front.usage }),
    plans: new Map([[SELF_HOSTED.name, SELF_HOSTED]]),
    newId: () => `browser-${(made += 1)}`,
    toWarmDigest: () => "",
    openTimeoutMs: 55_000,
    shutdown: new AbortController().signal,
  });
  const refuse = (failure: Failure): void => void (refusal = failure);
  const call = { account: ANNA, options: OPTIONS, base: BASE, disconnected: caller.signal };
  const open = (waitForPlaceMs = 0) => opens.openNew({ ...call, options: { ...OPTIONS, waitForPlaceMs } });
  return { clock, opens, call, open, refuse, placement, caller, calls, report, settles, commits, undoes, waiting };
}

describe("regardless of how the workers and the store behave", () => {
  test("a successful Open yields one browser, and a failed Open leaves nothing behind", async () => {
    const reactions = fc.array(fc.constantFrom(...REACTIONS), { minLength: 1, maxLength: 4 });
    const failing = fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(reactions, failing, async (all, failures) => {
        const { clock, opens, open, caller, commits, undoes, settles } = newRig([...all], new Set(failures));
        const opened = await open().catch((error: unknown) => {
          if (error instanceof Failure || error === caller.signal.reason) return undefined;
          throw error;
        });
        await opens.idle();
        // Failed writes are repeated, and succeed when the store works again.
        await clock.pass(20_000);
        const isOver = (rows: { state: string }[]): boolean => rows.every(({ state }) => state !== "opening");
        await until(() => query<{ state: string }>("select state from browsers"), isOver);
        for (const commit of commits) await expect(commit()).rejects.toThrow(StoreUnavailable);
        for (const undo of undoes) await undo();
        const rows = await query<{ id: string; worker: string }>(
          "select id, worker from browsers where state = 'open'",
        );
        expect(rows).toEqual(opened === undefined ? [] : [{ id: opened.id, worker: readWorker(opened.address) }]);
        expect(settles.every(Boolean)).toBe(true);
        await front.browsers.cancel(opened?.id ?? "");
      }),
      { numRuns: 80 },
    );
    await expectExact(query);
  });
});

const rows = () =>
  query<{ state: string; worker: string; attempt: number }>("select state, worker, attempt from browsers");
const FULL = { failure: "BrowserUnavailable", message: expect.stringContaining("no place for this browser") };

test("a request tries three workers, each with the next attempt number", async () => {
  const { open, calls } = newRig(["full", "lost before", "opened"]);
  const { id, address } = await open();
  expect([calls, address.includes("/three000")]).toEqual([["one 1", "two 2", "three 3"], true]);
  expect(await rows()).toEqual([{ state: "open", worker: "three", attempt: 3 }]);
  await front.browsers.cancel(id);
  const refused = newRig(["full", "full", "full", "opened"]);
  await expect(refused.open()).rejects.toMatchObject(FULL);
  expect([refused.calls.length, await rows()]).toEqual([3, []]);
});

test("if a worker stops reporting during a call, the next worker opens the browser", async () => {
  const { open, calls, placement, commits } = newRig(["silent", "opened"]);
  const opening = open();
  await until(
    () => calls,
    ({ length }) => length > 0,
  );
  placement.update([toWorker("two", { capacity: 4, instance: of("two").fleet.own.instance })]);
  const { id } = await opening;
  expect([calls, await rows(), commits]).toEqual([
    ["one 1", "two 2"],
    [{ state: "open", worker: "two", attempt: 2 }],
    [],
  ]);
  await front.browsers.cancel(id);
});

test("a front-end that mustn't open browsers admits no requests", async () => {
  const { open, refuse, calls } = newRig(["opened"]);
  const failure = new Failure("BrowserUnavailable", "The clock of this server is wrong.");
  refuse(failure);
  await expect(open()).rejects.toBe(failure);
  expect([calls, await rows()]).toEqual([[], []]);
});

test("if the caller disconnects while a worker stops reporting, the Open rejects with the caller's reason", async () => {
  const { open, calls, placement, caller } = newRig(["silent"]);
  const opening = open();
  await until(
    () => calls,
    ({ length }) => length > 0,
  );
  placement.update([]);
  caller.abort(new Error("The caller has left."));
  await expect(opening).rejects.toBe(caller.signal.reason);
  expect(await rows()).toEqual([]);
});

test("a full account's request with a key is refused with 503 while the store is unavailable", async () => {
  const { opens, call } = newRig([], new Set([2]));
  const idempotency = { key: "key", options: "options" };
  const opening = opens.openNew({ ...call, account: { ...ANNA, parallel: 0 } }, idempotency);
  await expect(opening).rejects.toMatchObject({ failure: "BrowserUnavailable", retryAfterS: 5 });
  expect(await rows()).toEqual([]);
});

describe("a request that waits for a worker", () => {
  /** The front-end calls one worker even though all workers seem full. */
  const newFull = (...reactions: Reaction[]) => {
    const rig = newRig(["full", ...reactions]);
    rig.report({ taken: 4 }, 1);
    return rig;
  };
  const waits = (rig: ReturnType<typeof newRig>): Promise<unknown> =>
    until(
      () => rig.waiting.waiting,
      (count) => count > 0,
    );

  test("has a row naming its front-end, and is retried whenever a worker reports a free slot, even after a refusal", async () => {
    const rig = newFull("full", "full", "full", "full", "opened");
    const opening = rig.open(45_000);
    await waits(rig);
    expect(await rows()).toEqual([{ state: "opening", worker: "front", attempt: 2 }]);
    rig.report({ taken: 3 }, 2);
    await until(
      () => rig.calls,
      ({ length }) => length === 5,
    );
    await waits(rig);
    expect(await rows()).toEqual([{ state: "opening", worker: "front", attempt: 7 }]);
    rig.report({ taken: 3 }, 3);
    const { id } = await opening;
    expect(await rows()).toEqual([{ state: "open", worker: "one", attempt: 8 }]);
    await front.browsers.cancel(id);
  });

  test("leaves nothing behind after its time limit or when its caller disconnects", async () => {
    const late = newFull();
    const refused = late.open(45_000).catch((error: unknown) => error);
    await waits(late);
    await late.clock.pass(45_000);
    expect(await refused).toMatchObject(FULL);
    const left = newFull();
    const gone = left.open(45_000).catch((error: unknown) => error);
    await waits(left);
    left.caller.abort(new Error("gone"));
    expect(await gone).toBe(left.caller.signal.reason);
    expect([late.waiting.waiting, left.waiting.waiting, await rows()]).toEqual([0, 0, []]);
  });
});

test("a late request fails, and its call to the worker ends", async () => {
  const { clock, open, opens, settles, calls } = newRig(["silent"]);
  const refused = open().catch((error: unknown) => error);
  await until(
    () => calls,
    ({ length }) => length > 0,
  );
  await clock.pass(55_000);
  expect(await refused).toMatchObject({ message: expect.stringContaining("did not start within 55 s") });
  await opens.idle();
  expect([settles, await rows()]).toEqual([[true], []]);
  await expectExact(query);
});
