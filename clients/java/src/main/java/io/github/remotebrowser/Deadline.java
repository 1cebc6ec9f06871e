package io.github.remotebrowser;

import java.time.Duration;

/** When a call must have ended. */
final class Deadline {
  private final long startedAt = System.nanoTime();
  private final Limit limit;

  Deadline(Limit limit) {
    this.limit = limit;
  }

  /** What is left until then; zero when nothing is. */
  Duration left() {
    long passedNanos = System.nanoTime() - startedAt;
    return Duration.ofNanos(Math.max(0, limit.duration().toNanos() - passedNanos));
  }

  /** What the call as a whole may take. */
  Limit limit() {
    return limit;
  }
}
