import { expect, test } from "vitest";
import { AccountEvents } from "./account-events.ts";

/** A process's feed. The test acts as the other processes. */
function newFeed() {
  const published: string[] = [];
  let report: ((accountId: string | undefined) => void) | undefined;
  return {
    published,
    publish: (accountId: string) => void published.push(accountId),
    listen: (onChange: typeof report) => void (report = onChange),
    /** Simulates a publication by another process. */
    report: (accountId: string | undefined) => report?.(accountId),
    async [Symbol.asyncDispose]() {},
  };
}

/** Counts the events of two accounts, and of all accounts. */
function count(events: AccountEvents): { anna: number; ben: number; all: number } {
  const counts = { anna: 0, ben: 0, all: 0 };
  events.subscribe("anna", () => (counts.anna += 1));
  events.subscribe("ben", () => (counts.ben += 1));
  events.subscribe(undefined, () => (counts.all += 1));
  return counts;
}

test("an event reaches local listeners and other processes", () => {
  const feed = newFeed();
  const events = new AccountEvents(feed);
  const counts = count(events);
  events.emit("anna");
  expect(counts).toEqual({ anna: 1, ben: 0, all: 1 });
  expect(feed.published).toEqual(["anna"]);
});

test("another process's event reaches local listeners, and isn't published again", () => {
  const feed = newFeed();
  const events = new AccountEvents(feed);
  events.followOthers();
  const counts = count(events);
  feed.report("ben");
  expect(counts).toEqual({ anna: 0, ben: 1, all: 1 });
  feed.report(undefined);
  expect(counts).toEqual({ anna: 1, ben: 2, all: 2 });
  expect(feed.published).toEqual([]);
});

test("a process that doesn't follow other processes only publishes events", () => {
  const feed = newFeed();
  const events = new AccountEvents(feed);
  const counts = count(events);
  feed.report("anna");
  events.emit("ben");
  expect(counts).toEqual({ anna: 0, ben: 1, all: 1 });
  expect(feed.published).toEqual(["ben"]);
});

test("events work without other processes", () => {
  const events = new AccountEvents();
  events.followOthers();
  const counts = count(events);
  events.emit("anna");
  expect(counts).toEqual({ anna: 1, ben: 0, all: 1 });
});
