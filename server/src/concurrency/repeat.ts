import type { Clock } from "../ports/clock.ts";

/**
 * Does work again and again, with a pause before each time.
 * @param pauseMs The first pause, and all others that `work` doesn't choose.
 * @param work May return the next pause in ms. Never rejects.
 * @returns Disposing it stops that. Work that has begun goes on.
 */
export function repeat(
  pauseMs: number,
  clock: Pick<Clock, "after">,
  work: () => Promise<number | void> | void,
): Disposable {
  let isStopped = false;
  let cancel = (): void => {};
  const plan = (delayMs: number): void => {
    if (isStopped) return;
    cancel = clock.after(delayMs, () => {
      void Promise.resolve(work()).then((nextMs) => plan(nextMs ?? pauseMs));
    });
  };
  plan(pauseMs);
  return {
    [Symbol.dispose]() {
      isStopped = true;
      cancel();
    },
  };
}
