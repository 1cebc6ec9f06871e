package io.github.remotebrowser;

import java.time.Duration;

/** The time by which a call must end. */
final class Deadline {
  private final long startedAt = System.nanoTime();
  private final Limit limit;

  Deadline(Limit limit) {
    this.limit = limit;
  }

  /** The time that is left; zero when the deadline has passed. */
  Duration left() {
    long passedNanos = System.nanoTime() - startedAt;
    return Duration.ofNanos(Math.max(0, limit.duration().toNanos() - passedNanos));
  }

  /** The timeout for the whole call. */
  Limit limit() {
    return limit;
  }
}
