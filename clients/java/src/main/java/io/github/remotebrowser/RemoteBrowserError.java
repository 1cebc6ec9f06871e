package io.github.remotebrowser;

import jakarta.annotation.Nullable;

/**
 * The base class for errors of failed calls. Invalid settings and arguments throw an {@link
 * IllegalArgumentException} instead.
 */
public abstract class RemoteBrowserError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RemoteBrowserError(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
