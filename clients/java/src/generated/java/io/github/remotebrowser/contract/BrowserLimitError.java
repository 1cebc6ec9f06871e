// Written by scripts/generate-clients.ts from the contract: change that.

package io.github.remotebrowser.contract;

import io.github.remotebrowser.ApiError;
import io.github.remotebrowser.Refusal;

/**
 * The subscription does not allow more browsers in parallel.
 *
 * <p>The HTTP status is 404.
 */
public final class BrowserLimitError extends ApiError {
  private static final long serialVersionUID = 1L;

  BrowserLimitError(Refusal refusal) {
    super(refusal);
  }
}
