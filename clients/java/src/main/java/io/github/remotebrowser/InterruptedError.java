package io.github.remotebrowser;

/**
 * The thread was interrupted during a call. The client sets its interrupt status again and closes
 * the connection. The service closes a browser that was being opened.
 */
public final class InterruptedError extends RemoteBrowserError {
  private static final long serialVersionUID = 1L;

  InterruptedError(Operation operation, InterruptedException cause) {
    super(operation + " was interrupted.", cause);
  }
}
