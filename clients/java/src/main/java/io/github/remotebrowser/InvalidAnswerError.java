package io.github.remotebrowser;

import jakarta.annotation.Nullable;

/**
 * A successful response doesn't match the contract, or a query's value doesn't match the requested
 * type.
 */
public final class InvalidAnswerError extends RemoteBrowserError {
  private static final long serialVersionUID = 1L;

  InvalidAnswerError(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
