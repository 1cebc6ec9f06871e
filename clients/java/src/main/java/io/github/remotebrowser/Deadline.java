package io.github.remotebrowser;

import java.time.Duration;

/** Measures the time that a call has left. */
final class Deadline {
  private final long startedAt = System.nanoTime();
  private final Limit limit;

  Deadline(Limit limit) {
    this.limit = limit;
  }

  /** Returns the remaining time; zero after the deadline. */
  Duration left() {
    long passedNanos = System.nanoTime() - startedAt;
    return Duration.ofNanos(Math.max(0, limit.duration().toNanos() - passedNanos));
  }

  /** Returns the timeout, for messages. */
  Limit limit() {
    return limit;
  }
}
