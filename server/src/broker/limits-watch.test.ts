import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Limited, LimitsWatch } from "./limits-watch.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type LimitedSandbox = Limited & { readonly kill: () => Promise<void> };

function newSandbox(bounds: Limited["bounds"]): LimitedSandbox {
  const kill = vi.fn<() => Promise<void>>(() => Promise.resolve());
  return { programs: new Map([[1, { kill }]]), bounds, isOverLimit: false, kill };
}

test("a failed check is reported and repeated, and the other sandboxes are still checked", () => {
  const failure = new Error("EMFILE");
  const isOverMemory = vi.fn<() => boolean>().mockThrow(failure);
  const broken = newSandbox({ isOverMemory, countTasks: () => 1 });
  const hungry = newSandbox({ isOverMemory: () => true, countTasks: () => 1 });
  const mayHaveTasks = vi.fn<() => boolean>().mockThrow(failure);
  const onFailure = vi.fn<(error: unknown) => void>();
  const sandboxes = new Map(Object.entries({ broken, hungry }));
  using _watch = new LimitsWatch({ sandboxes, bounds: { mayHaveTasks }, tasks: 1, onFailure });
  vi.advanceTimersByTime(250);
  expect(hungry.kill).toHaveBeenCalledOnce();
  expect(onFailure).toHaveBeenCalledWith(failure);
  expect(broken.kill).not.toHaveBeenCalled();
  isOverMemory.mockReturnValue(false);
  mayHaveTasks.mockReturnValue(true);
  vi.advanceTimersByTime(50);
  expect(broken.kill).toHaveBeenCalledOnce();
});

test("a disposed watch checks nothing", () => {
  const mayHaveTasks = vi.fn<() => boolean>(() => false);
  new LimitsWatch({ sandboxes: new Map(), bounds: { mayHaveTasks }, tasks: 1, onFailure() {} })[Symbol.dispose]();
  vi.advanceTimersByTime(1000);
  expect(mayHaveTasks).not.toHaveBeenCalled();
});
