package io.github.remotebrowser;

/** What the service can be asked for. */
enum Operation {
  OPEN("open", false),
  CLOSE("close", true),
  LIST("list", true),
  START_DESKTOP("startDesktop", true),
  STOP_DESKTOP("stopDesktop", true),
  QUERY("query", false);

  private final String method;
  private final boolean isIdempotent;

  Operation(String method, boolean isIdempotent) {
    this.method = method;
    this.isIdempotent = isIdempotent;
  }

  /** Whether doing it twice is the same as doing it once. */
  boolean isIdempotent() {
    return isIdempotent;
  }

  /** Whether an attempt may take as long as the call: a language model needs its time. */
  boolean isSlow() {
    return this == QUERY;
  }

  /** The method that users call. */
  @Override
  public String toString() {
    return method;
  }
}
