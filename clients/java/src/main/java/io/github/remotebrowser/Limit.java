package io.github.remotebrowser;

import java.math.BigDecimal;
import java.time.Duration;

/**
 * A timeout and its origin.
 *
 * @param origin the setting that defines the timeout, or a description
 */
record Limit(Duration duration, String origin) {

  static String seconds(Duration duration) {
    return BigDecimal.valueOf(duration.toMillis(), 3).stripTrailingZeros().toPlainString() + " s";
  }

  /** Returns the form for error messages. */
  @Override
  public String toString() {
    return seconds(duration) + " (" + origin + ")";
  }
}
