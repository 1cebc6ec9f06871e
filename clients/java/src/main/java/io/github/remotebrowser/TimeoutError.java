package io.github.remotebrowser;

/** An attempt or the whole call timed out. The service may have carried it out. */
public final class TimeoutError extends RemoteBrowserError {
  private static final long serialVersionUID = 1L;

  TimeoutError(String message, Throwable cause) {
    super(message, cause);
  }
}
