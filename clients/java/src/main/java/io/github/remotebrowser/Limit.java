package io.github.remotebrowser;

import java.math.BigDecimal;
import java.time.Duration;

/**
 * A timeout.
 *
 * @param origin where it comes from, usually a setting's name
 */
record Limit(Duration duration, String origin) {

  static String seconds(Duration duration) {
    return BigDecimal.valueOf(duration.toMillis(), 3).stripTrailingZeros().toPlainString() + " s";
  }

  /** The form for error messages. */
  @Override
  public String toString() {
    return seconds(duration) + " (" + origin + ")";
  }
}
