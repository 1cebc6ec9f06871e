// Written by scripts/generate-clients.ts from the contract: change that.

package io.github.remotebrowser.contract;

import io.github.remotebrowser.ApiError;
import io.github.remotebrowser.Refusal;

/**
 * The browser has no screen that a remote desktop could show.
 *
 * <p>The HTTP status is 409.
 */
public final class DesktopUnavailableError extends ApiError {
  private static final long serialVersionUID = 1L;

  DesktopUnavailableError(Refusal refusal) {
    super(refusal);
  }
}
