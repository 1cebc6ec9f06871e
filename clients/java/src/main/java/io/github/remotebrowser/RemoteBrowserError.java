package io.github.remotebrowser;

import jakarta.annotation.Nullable;

/**
 * What every failed call throws. Settings and arguments that can't be right are an {@link
 * IllegalArgumentException}.
 */
public abstract class RemoteBrowserError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RemoteBrowserError(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
