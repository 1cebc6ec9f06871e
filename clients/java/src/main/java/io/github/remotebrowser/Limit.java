package io.github.remotebrowser;

import java.math.BigDecimal;
import java.time.Duration;

/**
 * What something may take.
 *
 * @param origin where that comes from: a setting's name, as a rule
 */
record Limit(Duration duration, String origin) {

  static String seconds(Duration duration) {
    return BigDecimal.valueOf(duration.toMillis(), 3).stripTrailingZeros().toPlainString() + " s";
  }

  /** As errors name it. */
  @Override
  public String toString() {
    return seconds(duration) + " (" + origin + ")";
  }
}
