import { expect, test } from "vitest";
import { FakeClock } from "../../../test/fakes/fake-clock.ts";
import { RecordingLog } from "../../../test/fakes/recording-log.ts";
import { Outbox } from "./outbox.ts";

/** The outbox's retry delay, without randomness. */
const RETRY_MS = 5000;

test("a write that fails while other writes are retried is also retried, even if they take longer than the retry delay", async () => {
  const clock = new FakeClock();
  const outbox = new Outbox({ clock, log: new RecordingLog() });
  const answers: PromiseWithResolvers<void>[] = [];
  let isAway = true;
  const written: string[] = [];
  const write = (name: string): Promise<void> =>
    outbox.write(
      async () => {
        if (isAway) throw new Error("The database is unavailable.");
        const answer = Promise.withResolvers<void>();
        answers.push(answer);
        await answer.promise;
        written.push(name);
      },
      { event: "write.failed" },
    );
  await write("first");
  isAway = false;
  await clock.pass(RETRY_MS);
  // The retry of the first write is in progress, and hangs.
  expect(answers).toHaveLength(1);
  isAway = true;
  await write("second");
  isAway = false;
  await clock.pass(2 * RETRY_MS);
  expect(answers).toHaveLength(1);
  answers[0]?.resolve();
  await clock.pass(0);
  await clock.pass(RETRY_MS);
  answers[1]?.resolve();
  await clock.pass(0);
  expect(written).toEqual(["first", "second"]);
});

test("a stopping server retries waiting writes immediately, for at most a second", async () => {
  const clock = new FakeClock();
  const outbox = new Outbox({ clock, log: new RecordingLog() });
  let [isAway, tries] = [true, 0];
  const { promise: answer, resolve } = Promise.withResolvers<void>();
  const write = async (): Promise<void> => {
    tries += 1;
    if (isAway) throw new Error("The database is unavailable.");
    await answer;
  };
  await outbox.write(write, { event: "write.failed" });
  expect(outbox.isEmpty).toBe(false);
  isAway = false;
  const finished = outbox.finish();
  await clock.pass(1000);
  await finished;
  expect([tries, outbox.isEmpty]).toEqual([2, false]);
  resolve();
  await outbox.flush();
  expect(outbox.isEmpty).toBe(true);
  await outbox.finish();
  expect(tries).toBe(2);
});
