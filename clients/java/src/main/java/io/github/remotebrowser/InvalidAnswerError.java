package io.github.remotebrowser;

import jakarta.annotation.Nullable;

/** The server answered with success, but not with what the contract or the wanted type says. */
public final class InvalidAnswerError extends RemoteBrowserError {
  private static final long serialVersionUID = 1L;

  InvalidAnswerError(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
