package io.github.remotebrowser;

/** The operations of the service. */
enum Operation {
  OPEN("open", false),
  CLOSE("close", true),
  LIST("list", true),
  INFO("info", true),
  HISTORY("history", true),
  WAIT("awaitClosed", true),
  /** The new values are absolute. */
  UPDATE("update", true),
  CLOSE_ALL("closeAll", true),
  ACCOUNT("account", true),
  SCREENSHOT("screenshot", true),
  START_DESKTOP("startDesktop", true),
  STOP_DESKTOP("stopDesktop", true),
  QUERY("query", false);

  private final String method;
  private final boolean isIdempotent;

  Operation(String method, boolean isIdempotent) {
    this.method = method;
    this.isIdempotent = isIdempotent;
  }

  /** Whether the operation is idempotent, so that it can be retried when the outcome is unknown. */
  boolean isIdempotent() {
    return isIdempotent;
  }

  /**
   * Whether the same is true with contract version 1.1, because each call sends an {@code
   * Idempotency-Key}.
   */
  boolean hasKey() {
    return this == OPEN;
  }

  /** Whether only the total timeout applies, because a language model may take minutes. */
  boolean isSlow() {
    return this == QUERY;
  }

  /** The name of the client's method. */
  @Override
  public String toString() {
    return method;
  }
}
