import { expect, test } from "vitest";
import { FakeClock } from "../../../test/fakes/fake-clock.ts";
import { RecordingLog } from "../../../test/fakes/recording-log.ts";
import { LostBrowsers } from "./lost-browsers.ts";

test("records that a killed server wrote late are closed, even after a store failure, until the new server stops", async () => {
  const [clock, log] = [new FakeClock(), new RecordingLog()];
  const found = [1, 0, new Error("The database is unavailable."), 2, 0];
  let calls = 0;
  const closeLost = async (): Promise<number> => {
    const next = found[calls++] ?? 0;
    if (next instanceof Error) throw next;
    return next;
  };
  const lost = new LostBrowsers({ store: { closeLost }, clock, log });
  await lost.close();
  lost.start();
  await clock.pass(30_000);
  expect(log.lines.map(({ event, facts }) => [event, facts?.["browsers"]])).toEqual([
    ["browsers.lost", 1],
    ["browsers.close_lost_failed", undefined],
    ["browsers.lost", 2],
  ]);
  lost[Symbol.dispose]();
  await clock.pass(30_000);
  expect([calls, clock.pending]).toEqual([4, 0]);
});
