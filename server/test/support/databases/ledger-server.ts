import type { Account } from "../../../src/domain/account/account.ts";
import type { BrowserStore } from "../../../src/ports/store/store.ts";
import { Charges } from "../../../src/services/records/charges.ts";
import { Meter } from "../../../src/services/records/meter.ts";
import { Outbox } from "../../../src/services/store/outbox.ts";
import { reserve } from "../../../src/services/admission/reserve.ts";
import { FakeClock, settled } from "../../fakes/fake-clock.ts";
import { RecordingLog } from "../../fakes/recording-log.ts";
import { RecordingMetrics } from "../../fakes/recording-metrics.ts";
import type { LedgerDatabase } from "./ledger-databases.ts";
import type { Disk } from "./ledger-model.ts";
import { UNLIMITED } from "../browsers/stored-browser.ts";

export function toAccount(id: string): Account {
  const none = { plan: undefined, parallel: undefined, units: undefined };
  const flags = { hasAdditionalUnits: false, isDisabled: false, isOperator: false, version: 0 };
  return { id, email: `${id}@example.com`, ...none, ...flags, createdAt: new Date(0) };
}

/** Starts the parts of a server that write to the ledger, and closes the browsers that an earlier server left open. */
export async function startServer(database: LedgerDatabase, now: string) {
  const store = await database.openStore("worker-1");
  await store.browsers.closeLost();
  const pending = new Set<Promise<unknown>>();
  const clock = new FakeClock(now, () => settleAll(pending));
  const needs = { clock, metrics: new RecordingMetrics(), outbox: new Outbox({ clock, log: new RecordingLog() }) };
  const meters = new Map<string, Meter>();
  const server = {
    store,
    clock,
    disk: "works" as Disk,
    /** @returns `kept` if the reservation could be neither committed nor cancelled. */
    async open(
      id: string,
      accountId: string,
      fails: "never" | "at commit" | "forever",
    ): Promise<"open" | "refused" | "kept"> {
      const wanted = {
        browserId: id,
        kind: "chromium",
        isHeadless: true,
        tags: [],
        label: undefined,
        requestedAt: clock.now(),
      } as const;
      const before = server.disk;
      try {
        const reservation = await reserve(wanted, toAccount(accountId), () => UNLIMITED, {
          ...needs,
          store: faulty,
          accounts: store.accounts,
        });
        // Simulates a browser that never finishes starting.
        if (fails === "forever") return "refused";
        await using held = reservation;
        if (fails === "at commit") server.disk = "full";
        await held.commit(`ws://${id}`, clock.now());
        const meter = new Meter({
          ...needs,
          id,
          accountId,
          openedAt: clock.now(),
          due: () => undefined,
          store: faulty,
          charges,
        });
        meter.start();
        meters.set(id, meter);
        return "open";
      } catch {
        return server.disk === before ? "refused" : "kept";
      } finally {
        server.disk = before;
      }
    },
    async end(id: string, reason: "requested" | "shutdown"): Promise<void> {
      await meters.get(id)?.settle({ at: clock.now(), reason });
    },
  };
  const faulty = toFaulty(store.browsers, () => server.disk, pending);
  const charges = new Charges({ ...needs, store: faulty });
  return server;
}

/** Waits until all writes in progress, and the writes they cause, are done. */
async function settleAll(pending: ReadonlySet<Promise<unknown>>): Promise<void> {
  await settled();
  while (pending.size > 0) {
    await Promise.allSettled(pending);
    await settled();
  }
}

/**
 * Creates a store whose torn writes succeed but report an error. Only writes that are retried may be torn.
 * @param pending Contains the writes in progress.
 */
function toFaulty(store: BrowserStore, read: () => Disk, pending: Set<Promise<unknown>>): BrowserStore {
  const full = new Error("The disk is full.");
  const write = async <Result>(act: () => Promise<Result>, canBeTorn = false): Promise<Result> => {
    if (read() === "full") throw full;
    const writing = act();
    pending.add(writing);
    const result = await writing.finally(() => pending.delete(writing));
    if (canBeTorn && read() === "torn") throw full;
    return result;
  };
  return {
    ...store,
    reserve: (...given) => write(() => store.reserve(...given)),
    commitOpen: (...given) => write(() => store.commitOpen(...given)),
    cancel: (...given) => write(() => store.cancel(...given)),
    charge: (...given) => write(() => store.charge(...given), true),
    close: (...given) => write(() => store.close(...given), true),
  };
}
