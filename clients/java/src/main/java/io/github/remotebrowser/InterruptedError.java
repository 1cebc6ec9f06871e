package io.github.remotebrowser;

/**
 * The thread was interrupted during a call; its interrupt status is set again. The connection is
 * closed, so the service undoes an Open that was under way.
 */
public final class InterruptedError extends RemoteBrowserError {
  private static final long serialVersionUID = 1L;

  InterruptedError(Operation operation, InterruptedException cause) {
    super(operation + " was interrupted.", cause);
  }
}
