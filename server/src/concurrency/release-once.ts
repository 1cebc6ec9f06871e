/** Returns a disposable that calls `release` when it is first disposed. */
export function releaseOnce(release: () => void): Disposable {
  let isReleased = false;
  return {
    [Symbol.dispose]() {
      if (isReleased) return;
      isReleased = true;
      release();
    },
  };
}
