import { expect, test } from "vitest";
import { FakeClock, settled } from "../../../test/fakes/fake-clock.ts";
import { RecordingLog } from "../../../test/fakes/recording-log.ts";
import type { RecentBrowser } from "../../ports/fleet.ts";
import type { BrowserDetails } from "../../ports/store/fleet-store.ts";
import { StoreUnavailable } from "../../ports/store/store.ts";
import { AccountEvents } from "../store/account-events.ts";
import { Descriptions } from "./descriptions.ts";

const DETAILS: BrowserDetails = {
  proxyHost: undefined,
  hasScreen: true,
  desktopPassword: undefined,
  clients: 0,
  due: undefined,
  keepOpenMs: undefined,
  lifetimeMs: undefined,
  traffic: { sent: 0, received: 0 },
};

/** A worker with one browser, whose details the test controls. */
function newRig() {
  const [clock, log] = [new FakeClock(), new RecordingLog()];
  let details = DETAILS;
  const open = new Set(["one"]);
  const toBrowser = (id: string) => ({ ...details, id, accountId: "anna" }) as RecentBrowser;
  const written: BrowserDetails[] = [];
  const writes: string[][] = [];
  let gate: Promise<void> | undefined;
  const descriptions = new Descriptions({
    fleet: {
      listAll: async () => [...open].map(toBrowser),
      findRecent: async (_, selector) => ("id" in selector ? toBrowser(selector.id) : undefined),
    },
    store: {
      async describe(all) {
        const [first] = all.values();
        const [waitFor] = [gate];
        gate = undefined;
        await waitFor;
        if (first !== undefined) written.push(first);
        writes.push([...all.keys()]);
      },
    },
    events: new AccountEvents(),
    clock,
    log,
  });
  descriptions.start();
  return {
    ...{ clock, log, written, writes, open, descriptions },
    set: (changes: Partial<BrowserDetails>) => void (details = { ...details, ...changes }),
    /** Delays the next write until the test lets it succeed or fail. */
    hold() {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      gate = promise;
      return { resolve, reject };
    },
  };
}

test("changes are written once a second, and changes to traffic alone every five seconds", async () => {
  const { clock, written, set } = newRig();
  await clock.pass(3000);
  expect(written).toEqual([DETAILS]);
  set({ clients: 1 });
  await clock.pass(1000);
  expect(written.at(-1)).toMatchObject({ clients: 1 });
  set({ traffic: { sent: 5, received: 5 } });
  await clock.pass(4000);
  expect(written).toHaveLength(2);
  await clock.pass(1000);
  expect(written.at(-1)).toMatchObject({ traffic: { sent: 5 } });
  expect(written).toHaveLength(3);
});

test("the newest details are written last, even during another write", async () => {
  const { clock, written, set, hold, descriptions } = newRig();
  const older = hold();
  await clock.pass(1000);
  set({ desktopPassword: "new" });
  const newer = descriptions.write({ id: "anna" }, { id: "one" });
  await settled();
  older.resolve();
  await newer;
  expect(written.map(({ desktopPassword }) => desktopPassword)).toEqual([undefined, "new"]);
});

test("calls during a write share the next write", async () => {
  const { descriptions, hold, writes } = newRig();
  const first = hold();
  const calls = ["one", "two", "three"].map((id) => descriptions.write({ id: "anna" }, { id }));
  await settled();
  calls.push(descriptions.write({ id: "anna" }, { id: "four" }));
  first.resolve();
  await Promise.all(calls);
  expect(writes).toEqual([["one", "two", "three"], ["four"]]);
});

test("details that couldn't be written are written later, and the failure is logged once", async () => {
  const { clock, written, hold, log, descriptions } = newRig();
  for (let times = 0; times < 2; times += 1) {
    hold().reject(new StoreUnavailable("It is away."));
    await clock.pass(1000);
  }
  expect([written, log.lines.map(({ event }) => event)]).toEqual([[], ["browsers.describe_failed"]]);
  await clock.pass(1000);
  expect(written).toEqual([DETAILS]);
  descriptions[Symbol.dispose]();
  expect(clock.pending).toBe(0);
});
