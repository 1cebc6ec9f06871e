package io.github.remotebrowser;

/**
 * An attempt, or the call as a whole, took longer than it may. The server may have carried it out
 * all the same.
 */
public final class TimeoutError extends RemoteBrowserError {
  private static final long serialVersionUID = 1L;

  TimeoutError(String message, Throwable cause) {
    super(message, cause);
  }
}
