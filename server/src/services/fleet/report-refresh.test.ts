import { expect, test } from "vitest";
import { FakeClock, settled } from "../../../test/fakes/fake-clock.ts";
import { ReportRefresh } from "./report-refresh.ts";

function newRig() {
  const clock = new FakeClock();
  const stopping = new AbortController();
  const looks: PromiseWithResolvers<void>[] = [];
  const look = (): Promise<void> => {
    const next = Promise.withResolvers<void>();
    looks.push(next);
    return next.promise;
  };
  const fresh = new ReportRefresh({ look, clock, signal: stopping.signal });
  const outcomes: string[] = [];
  const take = (name: string): void =>
    void fresh.refresh().then(
      () => outcomes.push(name),
      (error: unknown) => outcomes.push(`${name}: ${(error as Error).message}`),
    );
  return { clock, stopping, looks, take, outcomes };
}

test("callers that arrive during a read share the next read, which follows after a pause", async () => {
  const { clock, looks, take, outcomes } = newRig();
  take("one");
  await settled();
  take("two");
  take("three");
  looks[0]?.resolve();
  await settled();
  expect([outcomes, looks.length]).toEqual([["one"], 1]);
  await clock.pass(250);
  expect([outcomes, looks.length]).toEqual([["one"], 2]);
  looks[1]?.resolve();
  await settled();
  expect(outcomes).toEqual(["one", "two", "three"]);
  await clock.pass(250);
  take("four");
  await settled();
  expect([looks.length, clock.pending]).toEqual([3, 0]);
});

test("callers that share a failed read receive its error, and the next read succeeds", async () => {
  const { clock, looks, take, outcomes } = newRig();
  take("one");
  await settled();
  looks[0]?.reject(new Error("away"));
  await settled();
  await clock.pass(250);
  take("two");
  await settled();
  looks[1]?.resolve();
  await settled();
  expect(outcomes).toEqual(["one: away", "two"]);
});

test("a server that is stopping skips the pause between reads", async () => {
  const { clock, stopping, looks, take } = newRig();
  take("one");
  await settled();
  looks[0]?.resolve();
  await settled();
  take("two");
  stopping.abort();
  await settled();
  expect([looks.length, clock.pending]).toEqual([2, 0]);
});
