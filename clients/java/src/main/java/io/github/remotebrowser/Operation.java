package io.github.remotebrowser;

/** The operations of the service. */
enum Operation {
  OPEN("open", false),
  CLOSE("close", true),
  LIST("list", true),
  INFO("info", true),
  HISTORY("history", true),
  WAIT("awaitClosed", true),
  // The new values are absolute, so a repetition changes nothing.
  UPDATE("update", true),
  CLOSE_ALL("closeAll", true),
  ACCOUNT("account", true),
  SCREENSHOT("screenshot", true),
  SCREENSHOT_IMAGE("screenshotImage", true),
  START_DESKTOP("startDesktop", true),
  STOP_DESKTOP("stopDesktop", true),
  QUERY("query", false);

  private final String method;
  private final boolean isIdempotent;

  Operation(String method, boolean isIdempotent) {
    this.method = method;
    this.isIdempotent = isIdempotent;
  }

  /** Whether the operation is idempotent, and so can be retried if its outcome is unknown. */
  boolean isIdempotent() {
    return isIdempotent;
  }

  /**
   * Whether each call sends an {@code Idempotency-Key}, which makes the operation idempotent with
   * contract version 1.1.
   */
  boolean hasKey() {
    return this == OPEN;
  }

  /** Whether only the total timeout applies: a language model may take minutes. */
  boolean isSlow() {
    return this == QUERY;
  }

  /** Returns the name of the client's method. */
  @Override
  public String toString() {
    return method;
  }
}
