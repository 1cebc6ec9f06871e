/** Calls `release` when it is disposed for the first time. */
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
