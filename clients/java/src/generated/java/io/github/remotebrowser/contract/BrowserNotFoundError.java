// Written by scripts/generate-clients.ts from the contract: change that.

package io.github.remotebrowser.contract;

import io.github.remotebrowser.ApiError;
import io.github.remotebrowser.Refusal;

/**
 * No open browser of this account has that address.
 *
 * <p>The HTTP status is 404.
 */
public final class BrowserNotFoundError extends ApiError {
  private static final long serialVersionUID = 1L;

  BrowserNotFoundError(Refusal refusal) {
    super(refusal);
  }
}
